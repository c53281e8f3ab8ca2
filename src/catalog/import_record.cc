#include "catalog/import_record.h"

#include <utility>

#include "catalog/job_record.h"
#include "catalog/key_record.h"
#include "catalog/table_record.h"

namespace taula::catalog {
namespace {

Value EncodeCsv(const CsvOptions& csv) {
  RecordWriter record;
  record.Text("delimiter", csv.delimiter);
  record.Set("header", EncodeList(csv.header, [](const std::string& name) { return Value(name); }));
  return record.TakeValue();
}

CsvOptions DecodeCsv(const RecordReader& record) {
  CsvOptions csv;
  csv.delimiter = record.Text("delimiter");
  if (const auto header = record.Find("header", Type::kList)) {
    for (const ValueView name : header->list()) csv.header.emplace_back(name.bytes());
  }
  return csv;
}

}  // namespace

Item RecordKind<Import>::Encode(const Import& record) {
  RecordWriter fields;
  EncodeJob(fields, record);
  fields.Text("format", record.format);
  fields.Text("compression", record.compression);
  if (record.csv) fields.Set("csv", EncodeCsv(*record.csv));
  fields.Set("table", Value(EncodeTable(record.table).view()));
  fields.Text("parameters", record.parameters);
  fields.Flag("loaded", record.loaded);
  fields.Number("processed_bytes", record.counts.processed_bytes);
  fields.Number("processed_items", record.counts.processed_items);
  fields.Number("imported_items", record.counts.imported_items);
  fields.Number("errors", record.counts.errors);
  return fields.TakeItem();
}

std::optional<Import> RecordKind<Import>::Decode(ValueView view) {
  if (view.type() != Type::kMap) return std::nullopt;
  const RecordReader record(view.map());
  Import job;
  const auto table_record = record.Find("table", Type::kMap);
  if (!DecodeJob(record, job) || !table_record) return std::nullopt;
  std::optional<Table> table = DecodeTable(*table_record);
  if (!table) return std::nullopt;
  job.table = *std::move(table);
  job.format = record.Text("format").value_or("");
  job.compression = record.Text("compression").value_or("");
  if (const auto csv = record.Map("csv")) job.csv = DecodeCsv(*csv);
  job.parameters = record.Text("parameters").value_or("{}");
  job.loaded = record.Flag("loaded");
  job.counts = {.processed_bytes = record.Number("processed_bytes").value_or(0),
                .processed_items = record.Number("processed_items").value_or(0),
                .imported_items = record.Number("imported_items").value_or(0),
                .errors = record.Number("errors").value_or(0)};
  return job;
}

}  // namespace taula::catalog
