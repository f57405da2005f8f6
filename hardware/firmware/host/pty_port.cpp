#include "pty_port.hpp"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

void PtyPort::plug() {
  if (master_ >= 0) return;
  master_ = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0) fail("cannot open a pseudo terminal");
  slave_name_ = ptsname(master_);
  // Holding the other end open keeps the terminal alive, and quiet, while no host has it open.
  slave_ = open(slave_name_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings;
  if (slave_ < 0 || tcgetattr(slave_, &settings) != 0) fail("cannot open " + slave_name_);
  cfmakeraw(&settings);
  if (tcsetattr(slave_, TCSANOW, &settings) != 0) fail("cannot set up " + slave_name_);

  const std::string temporary = link_ + "." + std::to_string(getpid());
  unlink(temporary.c_str());
  if (symlink(slave_name_.c_str(), temporary.c_str()) != 0) fail("cannot make the link " + temporary);
  if (rename(temporary.c_str(), link_.c_str()) != 0) fail("cannot make the link " + link_);
}

void PtyPort::unplug() {
  if (master_ < 0) return;
  char target[PATH_MAX];
  const ssize_t n = readlink(link_.c_str(), target, sizeof(target));
  // Another board may have taken the link over; then it is not ours to remove.
  if (n > 0 && std::string(target, static_cast<size_t>(n)) == slave_name_) unlink(link_.c_str());
  close(slave_);
  close(master_);
  master_ = slave_ = -1;
}

size_t PtyPort::read(uint8_t* data, size_t n) {
  const ssize_t count = ::read(master_, data, n);
  return count > 0 ? static_cast<size_t>(count) : 0;
}

void PtyPort::write(const uint8_t* data, size_t n) {
  if (master_ < 0) return;
  if (::write(master_, data, n) < 0 && errno != EAGAIN && errno != EIO) fail("cannot write to " + slave_name_);
}
