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

Item RecordKind<Import>::Encode(const Import& job) {
  RecordWriter record;
  EncodeJob(record, job);
  record.Text("format", job.format);
  record.Text("compression", job.compression);
  if (job.csv) record.Set("csv", EncodeCsv(*job.csv));
  record.Set("table", Value(EncodeTable(job.table).view()));
  record.Text("parameters", job.parameters);
  record.Flag("loaded", job.loaded);
  record.Number("processed_bytes", job.counts.processed_bytes);
  record.Number("processed_items", job.counts.processed_items);
  record.Number("imported_items", job.counts.imported_items);
  record.Number("errors", job.counts.errors);
  return record.TakeItem();
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
