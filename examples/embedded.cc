// Taula without a server: a table of people in this process, in a folder.
//
//   embedded <folder>
#include <taula/database.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace {

template <typename T>
T OrDie(taula::Result<T> result, const char* what) {
  if (!result) {
    std::fprintf(stderr, "%s: %s\n", what, result.error().message.c_str());
    std::exit(1);
  }
  return std::move(*result);
}

taula::CreateTableRequest PeopleTable() {
  taula::CreateTableRequest request;
  request.table_name = "people";
  request.attribute_definitions = {{"city", taula::Type::kString}, {"name", taula::Type::kString}};
  request.key_schema = {{"city", taula::KeyType::kHash}, {"name", taula::KeyType::kRange}};
  request.billing_mode = taula::BillingMode::kPayPerRequest;
  return request;
}

taula::PutItemRequest Person(const char* city, const char* name, int born) {
  taula::PutItemRequest request;
  request.table_name = "people";
  request.item = {{"city", city}, {"name", name}, {"born", born}};
  request.condition_expression = "attribute_not_exists(city)";
  return request;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: embedded <folder>\n");
    return 2;
  }
  taula::DatabaseOptions options;
  options.path = argv[1];
  const auto database = OrDie(taula::Database::Open(options), "open");

  if (!database->DescribeTable("people")) OrDie(database->CreateTable(PeopleTable()), "create table");

  for (const auto& [name, born] : {std::pair("Ada", 1815), {"Grace", 1906}, {"Edsger", 1930}}) {
    // A failed condition is an answer like any other.
    const auto put = database->PutItem(Person("London", name, born));
    std::printf("%s: %s\n", name, put ? "added" : put.error().message.c_str());
  }

  taula::QueryRequest query;
  query.table_name = "people";
  query.key_condition_expression = "city = :city AND begins_with(#name, :prefix)";
  query.attributes.names = taula::AttributeNames{{"#name", "name"}};
  query.attributes.values = taula::AttributeValues{{":city", "London"}, {":prefix", "G"}};
  const taula::PageResponse page = OrDie(database->Query(query), "query");
  for (const taula::Item& item : page.items) {
    std::printf("%s was born in %s\n", std::string(item.Find("name")->bytes()).c_str(),
                item.Find("born")->number_text().c_str());
  }
  return page.count == 1 ? 0 : 1;
}
