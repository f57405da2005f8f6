// A serial port for the host: a pseudo terminal behind a symbolic link that can be unplugged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

class PtyPort {
 public:
  explicit PtyPort(std::string link) : link_(std::move(link)) {}
  ~PtyPort() { unplug(); }
  PtyPort(const PtyPort&) = delete;
  PtyPort& operator=(const PtyPort&) = delete;

  // Opens a pseudo terminal and points the link at it. Throws std::system_error.
  void plug();
  void unplug();

  int fd() const { return master_; }  // -1 while unplugged
  size_t read(uint8_t* data, size_t n);
  // Never blocks: without a reader the bytes are lost, as on a real line.
  void write(const uint8_t* data, size_t n);

 private:
  std::string link_;
  std::string slave_name_;
  int master_ = -1;
  int slave_ = -1;
};
