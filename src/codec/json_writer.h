// Writes JSON onto the end of a string: responses go straight into the buffer
// that is sent, and values into it straight from their encoded bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "taula/value.h"

namespace taula::codec {

// A text in quotes, escaped.
void AppendStringJson(std::string& out, std::string_view text);
// {"S":"…"}
void AppendValueJson(std::string& out, ValueView value);
// {"name":{"S":"…"},…}
void AppendItemJson(std::string& out, MapView attributes);

// Puts the commas; that each object gets keys and each Begin its End is the
// caller's part.
//
//   JsonWriter json(out);
//   json.BeginObject();
//   json.Key("Count").Integer(3);
//   json.Key("Item").Item(item.attributes());
//   json.EndObject();
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  void BeginObject() { Begin('{'); }
  void EndObject() { End('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { End(']'); }
  JsonWriter& Key(std::string_view name);

  void String(std::string_view text);
  void Integer(std::int64_t number);
  void Boolean(bool truth);
  // As Java prints it, which is how Amazon prints capacity (0.5, 1.0) and
  // seconds since 1970 (1.700000000123E9). Finite numbers only.
  void Double(double number);
  void Binary(std::string_view bytes);
  void Value(ValueView value);
  void Item(MapView attributes);
  // A value that is JSON already.
  void Json(std::string_view json) {
    Separate();
    out_.append(json);
  }

 private:
  void Begin(char bracket);
  void End(char bracket);
  void Separate() {
    if (needs_comma_) out_.push_back(',');
    needs_comma_ = true;
  }

  std::string& out_;
  bool needs_comma_ = false;
};

}  // namespace taula::codec
