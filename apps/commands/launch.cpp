#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/support/json_text.h"
#include "apps/support/workload.h"

namespace gt200::apps {
namespace {

using json = nlohmann::ordered_json;

struct launch_options {
  workload_options workload;
  bool json = false;
  std::uint32_t max_block_threads = launch::max_threads_per_block;
};

std::string extent_text(const std::uint32_t* extent, std::size_t dimensions) {
  std::string text;
  for (std::size_t i = 0; i < dimensions; ++i) text += fmt::format("{}{}", i == 0 ? "" : " x ", extent[i]);
  return text;
}

// One line per step, inner steps indented.
std::string steps_text(const std::vector<launch::step>& steps, const std::string& indent = "step          ") {
  std::string text;
  for (const launch::step& s : steps) {
    text += indent;
    if (const auto* grid = std::get_if<launch::launch_step>(&s.action)) {
      text += fmt::format("{}, grid {}, block {}\n", grid->kernel,
                          extent_text(grid->grid.data(), grid->grid[2] == 1 ? 2 : 3),
                          extent_text(grid->block.data(), grid->block.size()));
    } else if (const auto* fill = std::get_if<launch::fill_step>(&s.action)) {
      text += fmt::format("fill '{}'\n", fill->buffer);
    } else if (const auto* set = std::get_if<launch::set_step>(&s.action)) {
      text += fmt::format("set elements of '{}'\n", set->buffer);
    } else {
      const auto& repeat = std::get<launch::repeat_step>(s.action);
      text += repeat.repeat_while
                  ? fmt::format("repeat while {}, at most {} times\n", repeat.repeat_while->text, repeat.count)
                  : fmt::format("repeat {} times\n", repeat.count);
      text += steps_text(repeat.body, indent + "  ");
    }
  }
  return text;
}

std::string hex_text(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

// Describes each step, with the bytes that it hands over as hexadecimal digits.
json steps_json(const workload& work, const std::vector<launch::step>& steps) {
  json list = json::array();
  for (const launch::step& s : steps) {
    if (const auto* grid = std::get_if<launch::launch_step>(&s.action)) {
      list.push_back({{"launch", grid->kernel},
                      {"grid", grid->grid},
                      {"block", grid->block},
                      {"dynamic_shared", grid->dynamic_shared},
                      {"parameters", hex_text(launch::pack(work.prepared, *grid, s.line, 0).parameter_bytes)}});
    } else if (const auto* fill = std::get_if<launch::fill_step>(&s.action)) {
      list.push_back({{"fill", fill->buffer}, {"value", hex_text(fill->value)}});
    } else if (const auto* set = std::get_if<launch::set_step>(&s.action)) {
      list.push_back({{"set", set->buffer}, {"first", set->first}, {"values", hex_text(set->values)}});
    } else {
      const auto& repeat = std::get<launch::repeat_step>(s.action);
      json entry = {{"repeat", repeat.count}};
      if (repeat.repeat_while) entry["repeat_while"] = repeat.repeat_while->text;
      entry["steps"] = steps_json(work, repeat.body);
      list.push_back(std::move(entry));
    }
  }
  return list;
}

json description_json(const workload& work) {
  const launch::description& description = work.launch;
  json result = {{"launch_description", description.file},
                 {"program", description.source},
                 {"seed", description.seed},
                 {"parameters", description.parameters}};
  for (const char* list : {"requires", "variables", "buffers", "textures", "constants"})
    result[list] = json::array();
  for (const launch::feature* f : description.required) result["requires"].push_back(f->name);
  for (const launch::placed_bytes& v : work.prepared.globals)
    result["variables"].push_back({{"name", v.name}, {"address", v.address}, {"bytes", v.initial.size()}});
  for (const launch::buffer& b : description.buffers)
    result["buffers"].push_back({{"name", b.name},
                                 {"type", launch::name_of(b.type)},
                                 {"count", b.count},
                                 {"address", work.prepared.buffer_at(b.name).address}});
  for (const launch::bound_texture& t : work.prepared.textures)
    result["textures"].push_back({{"name", t.name}, {"unit", t.unit}});
  for (const launch::constant& c : description.constants) {
    json entry = {{"symbol", c.symbol}, {"bank", c.bank}, {"offset", c.offset}};
    for (const cubin::constant_segment& segment : work.prepared.module->constants)
      if (segment.name == c.content.name) entry["bytes"] = hex_text(segment.data);
    result["constants"].push_back(std::move(entry));
  }
  result["steps"] = steps_json(work, description.steps);
  return result;
}

exit_code check(const launch_options& options) {
  const auto work = load_workload(options.workload);
  command_files files;
  add_files(*work, files);
  files.check();
  launch::device_allocator allocator;
  prepare(*work, allocator, options.max_block_threads);
  const launch::description& description = work->launch;
  if (!options.workload.arrays.empty()) write_initial_arrays(*work, options.workload.arrays);
  if (options.json) {
    std::cout << json_text(description_json(*work), 1) << "\n";
    return exit_code::ok;
  }
  std::cout << "program       " << description.source << "\n";
  for (const launch::feature* f : description.required) std::cout << "requires      " << f->name << "\n";
  const auto list = [](const char* kind, const std::vector<launch::placed_bytes>& all) {
    for (const launch::placed_bytes& placed : all)
      std::cout << fmt::format("{:<13} {} at 0x{:08x}, {} bytes\n", kind, placed.name, placed.address,
                               placed.initial.size());
  };
  list("variable", work->prepared.globals);
  list("buffer", work->prepared.buffers);
  for (const launch::bound_texture& t : work->prepared.textures)
    std::cout << fmt::format("texture       {} at unit {}\n", t.name, t.unit);
  for (const launch::constant& c : description.constants)
    std::cout << fmt::format("{}, {} bytes\n", c.content.name, c.content.bytes());
  std::cout << steps_text(description.steps);
  const auto applying = std::count_if(description.expectations.begin(), description.expectations.end(),
                                      [](const launch::expectation& e) { return e.applies; });
  std::cout << fmt::format("expectations  {}, {} apply\n{}: ok\n", description.expectations.size(), applying,
                           description.file);
  return exit_code::ok;
}

}  // namespace

void add_launch(CLI::App& program, action& chosen) {
  auto* group = program.add_subcommand("launch", "check launch descriptions");
  group->require_subcommand(1);
  auto* command =
      group->add_subcommand("check", "check a launch description against its program without running it");
  const auto options = std::make_shared<launch_options>();
  add_workload_options(*command, options->workload);
  add_threads_per_block(*command, options->max_block_threads);
  command
      ->add_option("--arrays", options->workload.arrays,
                   "folder for the content of every buffer before the first step, as NAME.npy")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "print buffers, constants and steps with their bytes as JSON");
  command->callback([&chosen, options] {
    check(options->workload);
    chosen = [options] { return check(*options); };
  });
}

}  // namespace gt200::apps
