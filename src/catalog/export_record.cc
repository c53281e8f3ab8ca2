#include "catalog/export_record.h"

#include "catalog/job_record.h"

namespace taula::catalog {

Item RecordKind<Export>::Encode(const Export& record) {
  RecordWriter fields;
  EncodeJob(fields, record);
  fields.Text("table", record.table_name);
  fields.Text("table_id", record.table_id);
  fields.Number("time", record.time_ms);
  if (record.period) {
    RecordWriter period;
    period.Number("from", record.period->from_ms);
    period.Number("to", record.period->to_ms);
    period.Flag("old_images", record.period->old_images);
    fields.Set("period", period.TakeValue());
  }
  fields.Text("encryption", record.encryption);
  fields.Text("kms_key", record.kms_key);
  fields.Number("items", record.items);
  fields.Number("billed_bytes", record.billed_bytes);
  return fields.TakeItem();
}

std::optional<Export> RecordKind<Export>::Decode(ValueView view) {
  if (view.type() != Type::kMap) return std::nullopt;
  const RecordReader record(view.map());
  Export job;
  const auto table = record.Text("table");
  const auto table_id = record.Text("table_id");
  if (!DecodeJob(record, job) || !table || !table_id) return std::nullopt;
  job.table_name = *table;
  job.table_id = *table_id;
  job.time_ms = record.Number("time").value_or(0);
  if (const auto period = record.Map("period")) {
    job.period = {.from_ms = period->Number("from").value_or(0),
                  .to_ms = period->Number("to").value_or(0),
                  .old_images = period->Flag("old_images")};
  }
  job.encryption = record.Text("encryption").value_or("AES256");
  job.kms_key = record.Text("kms_key");
  job.items = record.Number("items").value_or(0);
  job.billed_bytes = record.Number("billed_bytes").value_or(0);
  return job;
}

}  // namespace taula::catalog
