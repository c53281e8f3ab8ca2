#include "catalog/export_record.h"

#include "catalog/job_record.h"

namespace taula::catalog {

Item RecordKind<Export>::Encode(const Export& job) {
  RecordWriter record;
  EncodeJob(record, job);
  record.Text("table", job.table_name);
  record.Text("table_id", job.table_id);
  record.Number("time", job.time_ms);
  if (job.period) {
    RecordWriter period;
    period.Number("from", job.period->from_ms);
    period.Number("to", job.period->to_ms);
    period.Flag("old_images", job.period->old_images);
    record.Set("period", period.TakeValue());
  }
  record.Text("encryption", job.encryption);
  record.Text("kms_key", job.kms_key);
  record.Number("items", job.items);
  record.Number("billed_bytes", job.billed_bytes);
  return record.TakeItem();
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
