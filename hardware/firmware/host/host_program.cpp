#include "host_program.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "plant_pipe.hpp"
#include "pty_port.hpp"

namespace {

volatile std::sig_atomic_t g_is_done = 0;

uint64_t now_us() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000U + static_cast<uint64_t>(now.tv_nsec) / 1000U;
}

long whole(const char* text, const char* what, long low, long high) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value < low || value > high) {
    throw std::invalid_argument(std::string(what) + ": expected a whole number from " + std::to_string(low) +
                                " to " + std::to_string(high) + ", got '" + text + "'");
  }
  return value;
}

board::Identity identity_of(const char* serial, uint8_t n_channels, uint16_t rate) {
  board::Identity identity{};
  const size_t n = std::strlen(serial);
  if (n == 0 || n > board::kSerialSize) {
    throw std::invalid_argument("SERIAL: expected 1 to 16 characters, got '" + std::string(serial) + "'");
  }
  std::memcpy(identity.serial, serial, n);
  identity.n_channels = n_channels;
  identity.max_state_rate = rate;
  return identity;
}

int periodic_timer(uint16_t rate) {
  const int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  itimerspec period{};
  period.it_value.tv_nsec = period.it_interval.tv_nsec = 1000000000L / rate;
  if (fd < 0 || timerfd_settime(fd, 0, &period, nullptr) != 0) throw std::runtime_error("cannot make a timer");
  return fd;
}

void run(PtyPort& port, EmulatedDevice& device, uint16_t rate) {
  PlantPipe plant(device.columns());
  board::Controller& board = device.controller();
  const int timer = periodic_timer(rate);
  const uint64_t start = now_us();
  while (!g_is_done) {
    pollfd ready[3] = {{timer, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}, {port.fd(), POLLIN, 0}};
    if (poll(ready, 3, -1) < 0) {
      if (errno == EINTR) continue;
      throw std::runtime_error("poll failed");
    }
    const uint64_t now = now_us() - start;
    if (ready[2].revents & POLLIN) {
      uint8_t bytes[1024];
      board.receive(bytes, port.read(bytes, sizeof(bytes)), now);
    }
    if (ready[1].revents != 0) {
      PlantPipe::Input input;
      if (!plant.read(&input)) return;
      if (!input.readings.empty()) device.measure(input.readings, now);
      if (input.has_plug) input.plug ? port.plug() : port.unplug();
    }
    uint64_t expirations = 0;
    if ((ready[0].revents & POLLIN) && read(timer, &expirations, sizeof(expirations)) > 0) {
      board.step(now);
      plant.write(device.demand());
    }
  }
}

}  // namespace

int run_host_program(int argc, char** argv, const MakeDevice& make) {
  try {
    if (argc != 5) {
      throw std::invalid_argument("usage: " + std::string(argv[0]) + " LINK SERIAL N_CHANNELS STEP_RATE");
    }
    const auto n_channels = static_cast<uint8_t>(whole(argv[3], "N_CHANNELS", 1, board::kMaxChannels));
    const auto rate = static_cast<uint16_t>(whole(argv[4], "STEP_RATE", 10, 2000));
    std::signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the whole process group; the parent decides
    std::signal(SIGPIPE, SIG_IGN);
    struct sigaction terminate {};
    terminate.sa_handler = [](int) { g_is_done = 1; };
    sigaction(SIGTERM, &terminate, nullptr);
    fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);

    PtyPort port(argv[1]);
    port.plug();
    const auto transmit = [](void* to, const uint8_t* data, size_t n) {
      static_cast<PtyPort*>(to)->write(data, n);
    };
    const auto device = make(identity_of(argv[2], n_channels, rate), rate, transmit, &port);
    run(port, *device, rate);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}
