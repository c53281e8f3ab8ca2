#include "catalog/backup_record.h"

#include <utility>

#include "catalog/record.h"
#include "catalog/table_record.h"

namespace taula::catalog {

Item RecordKind<Backup>::Encode(const Backup& backup) {
  RecordWriter record;
  record.Text("id", backup.id);
  record.Text("name", backup.name);
  record.Number("created", backup.created_ms);
  record.Number("bytes", backup.bytes);
  record.Number("items", backup.items);
  record.Flag("of_deleted_table", backup.of_deleted_table);
  record.Text("state", backup.state);
  record.Set("table", Value(EncodeTable(backup.table).view()));
  return record.TakeItem();
}

std::optional<Backup> RecordKind<Backup>::Decode(ValueView view) {
  if (view.type() != Type::kMap) return std::nullopt;
  const RecordReader record(view.map());
  const auto id = record.Text("id");
  const auto name = record.Text("name");
  const auto state = record.Text("state");
  const auto table_record = record.Find("table", Type::kMap);
  if (!id || !name || !state || !table_record) return std::nullopt;
  std::optional<Table> table = DecodeTable(*table_record);
  if (!table) return std::nullopt;
  return Backup{.id = *id,
                .name = *name,
                .created_ms = record.Number("created").value_or(0),
                .bytes = record.Number("bytes").value_or(0),
                .items = record.Number("items").value_or(0),
                .of_deleted_table = record.Flag("of_deleted_table"),
                .state = *state,
                .table = *std::move(table)};
}

}  // namespace taula::catalog
