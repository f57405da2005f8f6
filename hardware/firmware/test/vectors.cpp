// Reads test_vectors/frames.txt and writes it again: fields of what the board receives come from the bytes, bytes
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
#include "messages.hpp"

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

// What the board reads out of a body it receives, as the fields of the vector file.
std::string describe(const tendon::Frame& frame) {
  std::ostringstream out;
  bool is_good = true;
  if (frame.type == tendon::kHello) {
    tendon::Hello hello;
    is_good = unpack(frame.body, frame.size, &hello);
    out << " version=" << +hello.major << "," << +hello.minor;
  } else if (frame.type == tendon::kConfig) {
    tendon::Config config;
    is_good = unpack(frame.body, frame.size, &config);
    std::vector<int64_t> limits;
    for (uint8_t i = 0; i < config.n; ++i) {
      const auto& channel = config.channel[i];
      limits.insert(limits.end(), {channel.min_tension, channel.max_tension, channel.tension_rate});
    }
    out << " watchdog_ms=" << config.watchdog_ms << " state_rate=" << config.state_rate
        << " limits=" << joined(limits);
  } else if (frame.type == tendon::kCommand) {
    tendon::Command command;
    is_good = unpack(frame.body, frame.size, &command);
    out << " enable=" << command.enable
        << " tension=" << joined({command.tension, command.tension + command.n});
  }
  if (!is_good) throw std::runtime_error("a body of the vector file cannot be unpacked");
  return out.str();
}

size_t write_identity(const Fields& fields, uint8_t* body) {
  tendon::Identity identity{};
  std::memcpy(identity.serial, fields.at("serial").data(), fields.at("serial").size());
  identity.n_channels = static_cast<uint8_t>(number(fields, "n_channels"));
  identity.tension_limit = static_cast<int32_t>(number(fields, "tension_limit"));
  identity.max_state_rate = static_cast<uint16_t>(number(fields, "max_state_rate"));
  return pack(identity, body);
}

size_t write_config(const Fields& fields, uint8_t* body) {
  tendon::Config config{};
  const auto limits = numbers(fields.at("limits"));
  config.watchdog_ms = static_cast<uint16_t>(number(fields, "watchdog_ms"));
  config.state_rate = static_cast<uint16_t>(number(fields, "state_rate"));
  config.n = static_cast<uint8_t>(limits.size() / 3);
  for (uint8_t i = 0; i < config.n; ++i) {
    config.channel[i] = {static_cast<int32_t>(limits[3U * i]), static_cast<int32_t>(limits[3U * i + 1]),
                         static_cast<int32_t>(limits[3U * i + 2])};
  }
  return pack(static_cast<uint16_t>(number(fields, "request")), config, body);
}

size_t write_state(const Fields& fields, uint8_t* body) {
  tendon::State state{};
  const auto values = numbers(fields.at("channels"));
  state.time_us = static_cast<uint64_t>(number(fields, "time_us"));
  state.command_sequence = static_cast<uint16_t>(number(fields, "command_sequence"));
  state.mode = static_cast<uint8_t>(number(fields, "mode"));
  state.supply_mv = static_cast<uint16_t>(number(fields, "supply_mv"));
  state.bad_frames = static_cast<uint32_t>(number(fields, "bad_frames"));
  state.lost_frames = static_cast<uint32_t>(number(fields, "lost_frames"));
  state.n = static_cast<uint8_t>(values.size() / 6);
  for (uint8_t i = 0; i < state.n; ++i) {
    const int64_t* v = values.data() + 6U * i;
    state.channel[i] = {static_cast<int32_t>(v[0]), static_cast<int32_t>(v[1]),  static_cast<int32_t>(v[2]),
                        static_cast<int32_t>(v[3]), static_cast<uint16_t>(v[4]), v[5] != 0};
  }
  return pack(state, body);
}

size_t write_ack(const Fields& fields, uint8_t* body) {
  const auto request = numbers(fields.at("request"));
  return pack(tendon::Ack{static_cast<uint8_t>(request[0]), static_cast<uint16_t>(request[1]),
                          static_cast<uint8_t>(number(fields, "code"))},
              body);
}

// The line as the firmware would write it.
std::string rewrite(const std::string& line) {
  const std::string text = line.substr(0, line.find(" | "));
  std::istringstream words(text);
  std::string kind, word;
  words >> kind;
  Fields fields;
  while (words >> word) fields[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  const auto sequence = static_cast<uint16_t>(number(fields, "sequence"));

  uint8_t body[tendon::kMaxBody];
  uint8_t out[tendon::kMaxFrame];
  size_t n = 0;
  if (kind == "IDENTITY") {
    n = encode_frame(tendon::kIdentity, sequence, body, write_identity(fields, body), out);
  } else if (kind == "CONFIG_EFFECTIVE") {
    n = encode_frame(tendon::kConfigEffective, sequence, body, write_config(fields, body), out);
  } else if (kind == "STATE") {
    n = encode_frame(tendon::kState, sequence, body, write_state(fields, body), out);
  } else if (kind == "ACK") {
    n = encode_frame(tendon::kAck, sequence, body, write_ack(fields, body), out);
  } else {
    tendon::FrameDecoder decoder;
    bool is_whole = false;
    for (const uint8_t byte : from_hex(line.substr(line.find(" | ") + 3))) is_whole = decoder.push(byte);
    if (!is_whole) throw std::runtime_error("not a good frame: " + line);
    const tendon::Frame& frame = decoder.frame();
    n = tendon::encode_frame(frame.type, frame.sequence, frame.body, frame.size, out);
    return kind + " sequence=" + std::to_string(frame.sequence) + describe(frame) + " | " + to_hex(out, n);
  }
  return text + " | " + to_hex(out, n);
}

}  // namespace

int main(int, char** argv) {
  std::ifstream file(argv[1]);
  for (std::string line; std::getline(file, line);) {
    std::cout << (line[0] == '#' ? line : rewrite(line)) << "\n";
  }
}
