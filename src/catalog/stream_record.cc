#include "catalog/stream_record.h"

#include "catalog/key_record.h"

namespace taula::catalog {
namespace {

Value EncodePeriod(const StreamPeriod& period) {
  RecordWriter record;
  record.Number("first", static_cast<std::int64_t>(period.first_position));
  record.Number("begun", period.begun_ms);
  return record.TakeValue();
}

bool DecodePeriods(const RecordReader& record, std::vector<StreamPeriod>& periods) {
  return record.ForEach("periods", [&](const RecordReader& element) {
    const auto first = element.Number("first");
    const auto begun = element.Number("begun");
    if (!first || !begun) return false;
    periods.push_back({static_cast<std::uint64_t>(*first), *begun});
    return true;
  }) && !periods.empty();
}

}  // namespace

Item EncodeStream(const Stream& stream) {
  RecordWriter record;
  record.Number("space", stream.space);
  record.Text("table", stream.table_name);
  record.Text("table_id", stream.table_id);
  record.Text("label", stream.label);
  record.Named("view", stream.view);
  EncodeKey(record, stream.key);
  record.Number("created", stream.created_ms);
  record.Number("lanes", stream.lanes);
  record.Set("periods", EncodeList(stream.periods, EncodePeriod));
  record.Number("trimmed", static_cast<std::int64_t>(stream.trimmed_position));
  if (stream.end) {
    record.Number("last", static_cast<std::int64_t>(stream.end->last_position));
    record.Number("ended", stream.end->ended_ms);
  }
  record.Text("resource_policy", stream.resource_policy);
  if (!stream.resource_policy_revision.empty()) record.Text("policy_revision", stream.resource_policy_revision);
  return record.TakeItem();
}

std::optional<Stream> DecodeStream(ValueView view) {
  if (view.type() != Type::kMap) return std::nullopt;
  const RecordReader record(view.map());
  const auto space = record.Number("space");
  const auto table_name = record.Text("table");
  const auto table_id = record.Text("table_id");
  const auto label = record.Text("label");
  const auto stream_view = record.Named<StreamViewType>("view");
  const auto lanes = record.Number("lanes");
  if (!space || !table_name || !table_id || !label || !stream_view || !lanes || *lanes < 1) return std::nullopt;

  Stream stream;
  stream.space = static_cast<codec::SpaceId>(*space);
  stream.table_name = *table_name;
  stream.table_id = *table_id;
  stream.label = *label;
  stream.view = *stream_view;
  stream.created_ms = record.Number("created").value_or(0);
  stream.lanes = static_cast<std::uint32_t>(*lanes);
  stream.trimmed_position = static_cast<std::uint64_t>(record.Number("trimmed").value_or(0));
  const auto last = record.Number("last");
  const auto ended = record.Number("ended");
  stream.resource_policy = record.Text("resource_policy");
  stream.resource_policy_revision = record.Text("policy_revision").value_or("");
  if (last && ended) stream.end = {static_cast<std::uint64_t>(*last), *ended};
  if (!DecodeKey(record, stream.key) || !DecodePeriods(record, stream.periods)) return std::nullopt;
  return stream;
}

}  // namespace taula::catalog
