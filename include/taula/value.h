// Attribute values and items.
//
// A value is one canonical run of bytes (docs/formats.md): equal values have
// equal bytes, whatever order a map's attributes or a set's elements came in.
// The same bytes are stored, compared, evaluated and sent, so a value is never
// unpacked into a tree on its way from the disk to the wire.
//
// Value and Item own their bytes; ValueView looks at bytes that someone else
// keeps alive.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taula {

// The ten attribute types. The numbers are persisted: do not change.
enum class Type : std::uint8_t {
  kNull = 1,
  kBool = 2,
  kNumber = 3,
  kString = 4,
  kBinary = 5,
  kStringSet = 6,
  kNumberSet = 7,
  kBinarySet = 8,
  kList = 9,
  kMap = 10,
};

class ListView;
class MapView;
class SetView;

// A value that lives in somebody else's bytes. Cheap to copy. The accessor for
// a type may be called only on a value of that type.
class ValueView {
 public:
  // `encoded` starts with a well-formed value; what follows it is ignored.
  explicit ValueView(const char* encoded) : begin_(encoded) {}

  [[nodiscard]] Type type() const { return static_cast<Type>(*begin_); }
  [[nodiscard]] std::string_view encoded() const;

  [[nodiscard]] bool boolean() const;
  // The characters of a string or the bytes of a binary.
  [[nodiscard]] std::string_view bytes() const;
  // A number in its ordered form: number bytes compare as the numbers do.
  [[nodiscard]] std::string_view ordered_number() const;
  // A number as DynamoDB writes it.
  [[nodiscard]] std::string number_text() const;
  [[nodiscard]] SetView set() const;
  [[nodiscard]] ListView list() const;
  [[nodiscard]] MapView map() const;

  // The attribute of a map by its name.
  [[nodiscard]] std::optional<ValueView> Find(std::string_view name) const;

  friend bool operator==(ValueView a, ValueView b) { return a.encoded() == b.encoded(); }

 private:
  const char* begin_;
};

// The elements of a set: strings and binaries as they are, numbers in their
// ordered form; in byte order, each once.
class SetView {
 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = std::string_view;
    Iterator() = default;
    explicit Iterator(const char* at) : at_(at) {}
    std::string_view operator*() const;
    Iterator& operator++();
    Iterator operator++(int) {
      Iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    const char* at_ = nullptr;
  };

  explicit SetView(std::string_view content) : content_(content) {}
  [[nodiscard]] Iterator begin() const { return Iterator(content_.data()); }
  [[nodiscard]] Iterator end() const { return Iterator(content_.data() + content_.size()); }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool Contains(std::string_view element) const;

 private:
  std::string_view content_;
};

class ListView {
 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = ValueView;
    Iterator() = default;
    explicit Iterator(const char* at) : at_(at) {}
    ValueView operator*() const { return ValueView(at_); }
    Iterator& operator++();
    Iterator operator++(int) {
      Iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    const char* at_ = nullptr;
  };

  explicit ListView(std::string_view content) : content_(content) {}
  [[nodiscard]] Iterator begin() const { return Iterator(content_.data()); }
  [[nodiscard]] Iterator end() const { return Iterator(content_.data() + content_.size()); }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::optional<ValueView> At(std::size_t index) const;

 private:
  std::string_view content_;
};

// The attributes of a map or an item, in byte order of their names.
class MapView {
 public:
  struct Entry {
    std::string_view name;
    ValueView value;
  };
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = Entry;
    Iterator() = default;
    explicit Iterator(const char* at) : at_(at) {}
    Entry operator*() const;
    Iterator& operator++();
    Iterator operator++(int) {
      Iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    const char* at_ = nullptr;
  };

  explicit MapView(std::string_view content) : content_(content) {}
  [[nodiscard]] Iterator begin() const { return Iterator(content_.data()); }
  [[nodiscard]] Iterator end() const { return Iterator(content_.data() + content_.size()); }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return content_.empty(); }
  [[nodiscard]] std::optional<ValueView> Find(std::string_view name) const;
  // The encoded names and values, one after the other.
  [[nodiscard]] std::string_view content() const { return content_; }

 private:
  std::string_view content_;
};

// A value that owns its bytes.
class Value {
 public:
  Value();                       // NULL
  Value(std::string_view text);  // NOLINT(google-explicit-constructor): literals read as values
  Value(const char* text) : Value(std::string_view(text)) {}         // NOLINT(google-explicit-constructor)
  Value(const std::string& text) : Value(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)
  Value(std::int64_t number);                                        // NOLINT(google-explicit-constructor)
  Value(int number) : Value(static_cast<std::int64_t>(number)) {}    // NOLINT(google-explicit-constructor)
  explicit Value(bool truth);
  explicit Value(ValueView view) : bytes_(view.encoded()) {}

  static Value Null() { return {}; }
  static Value Bool(bool truth) { return Value(truth); }
  static Value String(std::string_view text) { return Value(text); }
  static Value Binary(std::string_view bytes);
  // Nothing, when `text` is not a number that DynamoDB can keep exactly.
  static std::optional<Value> Number(std::string_view text);
  // Sets drop duplicates. An empty set is not a DynamoDB value; a request with
  // one in it is refused.
  static Value StringSet(std::vector<std::string> elements);
  static Value BinarySet(std::vector<std::string> elements);
  static std::optional<Value> NumberSet(std::span<const std::string> texts);
  static Value List(std::span<const Value> elements);
  static Value List(std::initializer_list<Value> elements);
  static Value Map(std::initializer_list<std::pair<std::string_view, Value>> attributes);
  // Takes bytes that are already a canonical value.
  static Value FromEncoded(std::string encoded);

  [[nodiscard]] ValueView view() const { return ValueView(bytes_.data()); }
  [[nodiscard]] Type type() const { return view().type(); }
  [[nodiscard]] const std::string& encoded() const { return bytes_; }

  friend bool operator==(const Value&, const Value&) = default;

 private:
  struct EncodedTag {};
  Value(EncodedTag, std::string encoded) : bytes_(std::move(encoded)) {}

  std::string bytes_;
};

// A set of named attributes: what a table stores, and what a key is.
class Item {
 public:
  Item();
  Item(std::initializer_list<std::pair<std::string_view, Value>> attributes);
  explicit Item(ValueView map) : bytes_(map.encoded()) {}
  // Takes bytes that are already a canonical map value.
  static Item FromEncoded(std::string encoded);

  [[nodiscard]] ValueView view() const { return ValueView(bytes_.data()); }
  [[nodiscard]] MapView attributes() const { return view().map(); }
  [[nodiscard]] std::optional<ValueView> Find(std::string_view name) const { return view().Find(name); }
  [[nodiscard]] bool empty() const { return attributes().empty(); }
  [[nodiscard]] const std::string& encoded() const { return bytes_; }

  // Adds or replaces one attribute. Each call copies the item.
  Item& Set(std::string_view name, const Value& value);

  friend bool operator==(const Item&, const Item&) = default;

 private:
  std::string bytes_;
};

}  // namespace taula
