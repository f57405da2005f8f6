// What the messages of all boards share; hardware/tendon_board.md has the byte tables.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "wire.hpp"

namespace board {

constexpr uint8_t kProtocolMajor = 1;
constexpr uint8_t kProtocolMinor = 0;
constexpr uint8_t kFirmwareVersion[3] = {1, 0, 0};
constexpr uint8_t kMaxChannels = 8;
constexpr uint8_t kSerialSize = 16;

// Host to board: 0x01 to 0x7F. Board to host: 0x81 to 0xFF.
enum Type : uint8_t {
  kHello = 0x01,
  kConfig = 0x02,
  kCommand = 0x03,
  kTare = 0x04,
  kReset = 0x05,
  kStop = 0x06,
  kIdentity = 0x81,
  kConfigEffective = 0x82,
  kState = 0x83,
  kAck = 0x84,
};

enum AckCode : uint8_t {
  kOk = 0,
  kUnknownType = 1,
  kBadLength = 2,
  kOutOfRange = 3,
  kNotConfigured = 4,
  kWrongVersion = 5,
  kBusy = 6,  // tare is refused while the drives are energised
};

enum Mode : uint8_t { kIdle = 0, kAtRest = 1, kEnergised = 2, kStopped = 3 };

// Same values as the FAULT_ constants of continua_msgs/TendonState and PressureState.
enum Fault : uint16_t {
  kFaultSensor = 1,
  kFaultOverload = 2,  // of tendons; of chambers overpressure
  kFaultBlocked = 4,
  kFaultWatchdog = 8,
  kFaultEmergencyStop = 16,
  kFaultSupply = 64,
};

struct Hello {
  uint8_t major;
  uint8_t minor;
};

struct Identity {
  char serial[kSerialSize];  // ASCII, padded with zero bytes
  uint8_t n_channels;
  int32_t limit;            // highest setpoint of a channel
  uint16_t max_state_rate;  // Hz
};

struct ConfigHeader {
  uint16_t watchdog_ms;
  uint16_t state_rate;  // Hz
  uint8_t n;
};

struct Command {
  bool enable;
  uint8_t flags;  // bit 0 enable, others by board
  uint8_t n;
  int32_t value[kMaxChannels];
};

struct StateHeader {
  uint64_t time_us;
  uint16_t command_sequence;
  uint8_t mode;
  uint16_t supply_mv;
  uint32_t bad_frames;
  uint32_t lost_frames;
  uint8_t n;
};

struct Ack {
  uint8_t type;
  uint16_t sequence;
  uint8_t code;
};

// The board reads what the host sends; false when the body has another length than it must have.
bool unpack(const uint8_t* body, size_t size, Hello* hello);
bool unpack(const uint8_t* body, size_t size, Command* command);

// A CONFIG that has rows of `row` bytes, one a channel, which then follow in the reader.
bool unpack_header(Reader* reader, size_t size, size_t row, ConfigHeader* config);

// The board writes what the host reads; returns the size of the body (out has kMaxBody bytes).
size_t pack(const Identity& identity, uint8_t* out);
size_t pack(const Ack& ack, uint8_t* out);

// Beginnings, after which the board writes the rows of its channels.
void write(Writer* writer, uint16_t request_sequence, const ConfigHeader& effective);
void write(Writer* writer, const StateHeader& state);

}  // namespace board
