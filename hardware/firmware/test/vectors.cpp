// vectors {tendon|valve} FILE: reads the frames of a board and writes them again: fields of what the board receives come from the bytes, bytes
// of what the board sends from the fields. The output equals the input when both sides agree.

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "frame.hpp"
#include "tendon_messages.hpp"
#include "valve_messages.hpp"

namespace {

using Fields = std::map<std::string, std::string>;

std::vector<uint8_t> from_hex(const std::string& text) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::string to_hex(const uint8_t* bytes, size_t n) {
  std::string text;
  char digits[3];
  for (size_t i = 0; i < n; ++i) {
    std::snprintf(digits, sizeof(digits), "%02x", bytes[i]);
    text += digits;
  }
  return text;
}

std::vector<int64_t> numbers(const std::string& text) {
  std::vector<int64_t> values;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) values.push_back(std::stoll(item));
  return values;
}

int64_t number(const Fields& fields, const char* name) { return std::stoll(fields.at(name)); }

std::string joined(const std::vector<int64_t>& values) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) text += (i ? "," : "") + std::to_string(values[i]);
  return text;
}

struct Tendon {
  using Config = tendon::Config;

  static std::vector<int64_t> limits(const Config& config) {
    std::vector<int64_t> values;
    for (uint8_t i = 0; i < config.header.n; ++i) {
      const auto& c = config.channel[i];
      values.insert(values.end(), {c.min_tension, c.max_tension, c.tension_rate});
    }
    return values;
  }
  static constexpr size_t kLimits = 3, kState = 4;
  static void write_limits(board::Writer* writer, const int64_t* v) {
    write(writer, tendon::ChannelLimits{int32_t(v[0]), int32_t(v[1]), int32_t(v[2])});
  }
  static void write_state(board::Writer* writer, const int64_t* v) {
    write(writer, tendon::ChannelState{int32_t(v[0]), int32_t(v[1]), int32_t(v[2]), int32_t(v[3])});
  }
};

struct Valve {
  using Config = valve::Config;

  static std::vector<int64_t> limits(const Config& config) {
    std::vector<int64_t> values;
    for (uint8_t i = 0; i < config.header.n; ++i) {
      const auto& c = config.channel[i];
      values.insert(values.end(), {c.min_pressure, c.max_pressure, c.pressure_rate, c.proportional, c.integral,
                                   c.derivative, c.filter_time, c.supply_dead_band, c.exhaust_dead_band});
    }
    return values;
  }
  static constexpr size_t kLimits = 9, kState = 3;
  static void write_limits(board::Writer* writer, const int64_t* v) {
    write(writer, valve::ChannelConfig{int32_t(v[0]), int32_t(v[1]), int32_t(v[2]), int32_t(v[3]), int32_t(v[4]),
                                       int32_t(v[5]), uint16_t(v[6]), uint16_t(v[7]), uint16_t(v[8])});
  }
  static void write_state(board::Writer* writer, const int64_t* v) {
    write(writer, valve::ChannelState{int32_t(v[0]), int32_t(v[1]), int32_t(v[2])});
  }
};

// What the board reads out of a body it receives, as the fields of the vector file.
template <typename Device>
std::string describe(const board::Frame& frame) {
  std::ostringstream out;
  bool is_good = true;
  if (frame.type == board::kHello) {
    board::Hello hello;
    is_good = board::unpack(frame.body, frame.size, &hello);
    out << " version=" << +hello.major << "," << +hello.minor;
  } else if (frame.type == board::kConfig) {
    typename Device::Config config;
    is_good = unpack(frame.body, frame.size, &config);
    out << " watchdog_ms=" << config.header.watchdog_ms << " state_rate=" << config.header.state_rate
        << " limits=" << joined(Device::limits(config));
  } else if (frame.type == board::kCommand) {
    board::Command command;
    is_good = board::unpack(frame.body, frame.size, &command);
    out << " flags=" << +command.flags << " value=" << joined({command.value, command.value + command.n});
  }
  if (!is_good) throw std::runtime_error("a body of the vector file cannot be unpacked");
  return out.str();
}

size_t write_identity(const Fields& fields, uint8_t* body) {
  board::Identity identity{};
  std::memcpy(identity.serial, fields.at("serial").data(), fields.at("serial").size());
  identity.n_channels = static_cast<uint8_t>(number(fields, "n_channels"));
  identity.limit = static_cast<int32_t>(number(fields, "limit"));
  identity.max_state_rate = static_cast<uint16_t>(number(fields, "max_state_rate"));
  const size_t common = pack(identity, body);
  board::Writer writer(body + common);
  if (fields.count("control_rate")) writer.u16(static_cast<uint16_t>(number(fields, "control_rate")));
  return common + writer.size();
}

template <typename Device>
size_t write_config(const Fields& fields, uint8_t* body) {
  const auto limits = numbers(fields.at("limits"));
  const auto n = static_cast<uint8_t>(limits.size() / Device::kLimits);
  const board::ConfigHeader header = {static_cast<uint16_t>(number(fields, "watchdog_ms")),
                                      static_cast<uint16_t>(number(fields, "state_rate")), n};
  board::Writer writer(body);
  write(&writer, static_cast<uint16_t>(number(fields, "request")), header);
  for (size_t i = 0; i < n; ++i) Device::write_limits(&writer, limits.data() + Device::kLimits * i);
  return writer.size();
}

template <typename Device>
size_t write_state(const Fields& fields, uint8_t* body) {
  constexpr size_t kColumns = Device::kState + 2;  // fault and is_saturated follow
  const auto values = numbers(fields.at("channels"));
  board::StateHeader state{};
  state.time_us = static_cast<uint64_t>(number(fields, "time_us"));
  state.command_sequence = static_cast<uint16_t>(number(fields, "command_sequence"));
  state.mode = static_cast<uint8_t>(number(fields, "mode"));
  state.supply_mv = static_cast<uint16_t>(number(fields, "supply_mv"));
  state.bad_frames = static_cast<uint32_t>(number(fields, "bad_frames"));
  state.lost_frames = static_cast<uint32_t>(number(fields, "lost_frames"));
  state.n = static_cast<uint8_t>(values.size() / kColumns);
  board::Writer writer(body);
  write(&writer, state);
  for (size_t i = 0; i < state.n; ++i) {
    const int64_t* v = values.data() + kColumns * i;
    Device::write_state(&writer, v);
    writer.u16(static_cast<uint16_t>(v[kColumns - 2])).u8(static_cast<uint8_t>(v[kColumns - 1]));
  }
  return writer.size();
}

size_t write_ack(const Fields& fields, uint8_t* body) {
  const auto request = numbers(fields.at("request"));
  return pack(board::Ack{static_cast<uint8_t>(request[0]), static_cast<uint16_t>(request[1]),
                          static_cast<uint8_t>(number(fields, "code"))},
              body);
}

// The line as the firmware would write it.
template <typename Device>
std::string rewrite(const std::string& line) {
  const std::string text = line.substr(0, line.find(" | "));
  std::istringstream words(text);
  std::string kind, word;
  words >> kind;
  Fields fields;
  while (words >> word) fields[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  const auto sequence = static_cast<uint16_t>(number(fields, "sequence"));

  uint8_t body[board::kMaxBody];
  uint8_t out[board::kMaxFrame];
  size_t n = 0;
  if (kind == "IDENTITY") {
    n = encode_frame(board::kIdentity, sequence, body, write_identity(fields, body), out);
  } else if (kind == "CONFIG_EFFECTIVE") {
    n = encode_frame(board::kConfigEffective, sequence, body, write_config<Device>(fields, body), out);
  } else if (kind == "STATE") {
    n = encode_frame(board::kState, sequence, body, write_state<Device>(fields, body), out);
  } else if (kind == "ACK") {
    n = encode_frame(board::kAck, sequence, body, write_ack(fields, body), out);
  } else {
    board::FrameDecoder decoder;
    bool is_whole = false;
    for (const uint8_t byte : from_hex(line.substr(line.find(" | ") + 3))) is_whole = decoder.push(byte);
    if (!is_whole) throw std::runtime_error("not a good frame: " + line);
    const board::Frame& frame = decoder.frame();
    n = board::encode_frame(frame.type, frame.sequence, frame.body, frame.size, out);
    return kind + " sequence=" + std::to_string(frame.sequence) + describe<Device>(frame) + " | " + to_hex(out, n);
  }
  return text + " | " + to_hex(out, n);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const bool is_valve = std::string(argv[1]) == "valve";
  std::ifstream file(argv[2]);
  for (std::string line; std::getline(file, line);) {
    if (line[0] != '#') line = is_valve ? rewrite<Valve>(line) : rewrite<Tendon>(line);
    std::cout << line << "\n";
  }
}
