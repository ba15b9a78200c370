#include "sc_models/sm/volta/results_under_way.h"

#include "toolchain/arch_state/lane_rows.h"

namespace gt200::model {
namespace {

using isa::register_file_kind;

bool is_predicate(const isa::register_transfer& t) { return t.file == register_file_kind::condition; }

template <class Action>
void for_each_result(const warp_instruction& operation, Action act) {
  const isa::instruction& i = *operation.instruction;
  for (unsigned k = 0; k < i.result_count; ++k)
    for (unsigned word = 0; word < i.results[k].count; ++word) act(i.results[k], word);
}

}  // namespace

void results_under_way::add(warp_instruction& operation) {
  results_.push_back(&operation);
  for_each_result(operation, [&](const isa::register_transfer& t, unsigned word) {
    ++pending_[(is_predicate(t) ? registers : 0) + t.first + word];
  });
  if (operation.instruction->writes_predicate_file)
    for (unsigned p = 0; p < predicates; ++p) ++pending_[registers + p];
}

void results_under_way::remove_oldest() {
  const warp_instruction& operation = oldest();
  for_each_result(operation, [&](const isa::register_transfer& t, unsigned word) {
    --pending_[(is_predicate(t) ? registers : 0) + t.first + word];
  });
  if (operation.instruction->writes_predicate_file)
    for (unsigned p = 0; p < predicates; ++p) --pending_[registers + p];
  results_.pop_front();
}

bool results_under_way::concern_results_of(const isa::instruction& i) const {
  if (results_.empty()) return false;
  for (unsigned k = 0; k < i.result_count; ++k)
    for (unsigned word = 0; word < i.results[k].count; ++word)
      if (pending_[(is_predicate(i.results[k]) ? registers : 0) + i.results[k].first + word] != 0) return true;
  return false;
}

void results_under_way::forward(const arch_state::forwarding_table& table, core_cycle issued_at,
                                const arch_state::register_reads& operands) const {
  for (const isa::register_transfer& operand : operands) {
    const bool predicate = is_predicate(operand);
    const auto& cycles = predicate ? table.predicates : table.registers;
    for (unsigned word = 0; word < operand.count; ++word) {
      const unsigned index = operand.first + word;
      if (pending_[(predicate ? registers : 0) + index] == 0) continue;
      for (std::size_t r = 0; r < results_.size(); ++r) {
        const warp_instruction* writer = results_[r];
        const auto visible = [&](std::uint8_t latency_class) {
          return issued_at >= writer->read_slot + core_cycles(cycles[latency_class][operand.latency_class]);
        };
        for_each_result(*writer, [&](const isa::register_transfer& t, unsigned k) {
          if (is_predicate(t) != predicate || t.first + k != index || !visible(t.latency_class)) return;
          const arch_state::register_writes results = arch_state::results_of(*writer->instruction, writer->values);
          if (predicate)
            arch_state::write_row(operands.row<std::uint8_t>(operand), results.row<const std::uint8_t>(t),
                                  writer->executed);
          else
            arch_state::write_row(operands.row<isa::lane_words>(operand)[word].lane,
                                  results.row<const isa::lane_words>(t)[k].lane, writer->executed);
        });
        if (predicate && writer->instruction->writes_predicate_file && visible(0))
          for (unsigned lane = 0; lane < isa::warp_size; ++lane)
            if ((writer->executed >> lane & 1) != 0)
              operands.row<std::uint8_t>(operand)[lane] = writer->values.destination[0].lane[lane] >> index & 1;
      }
    }
  }
}

void results_under_way::forward_predicates(const arch_state::forwarding_table& table, core_cycle issued_at,
                                           std::uint8_t latency_class, isa::lane_words& bits) const {
  for (std::size_t r = 0; r < results_.size(); ++r) {
    const warp_instruction* writer = results_[r];
    const auto visible = [&](std::uint8_t writer_class) {
      return issued_at >= writer->read_slot + core_cycles(table.predicates[writer_class][latency_class]);
    };
    const auto put = [&](unsigned index, unsigned lane, bool value) {
      bits.lane[lane] = (bits.lane[lane] & ~(1u << index)) | std::uint32_t{value} << index;
    };
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
      if ((writer->executed >> lane & 1) == 0) continue;
      for_each_result(*writer, [&](const isa::register_transfer& t, unsigned) {
        if (!is_predicate(t) || !visible(t.latency_class)) return;
        const arch_state::register_writes results = arch_state::results_of(*writer->instruction, writer->values);
        put(t.first, lane, results.row<const std::uint8_t>(t)[lane] != 0);
      });
      if (writer->instruction->writes_predicate_file && visible(0))
        for (unsigned p = 0; p + 1 < predicates; ++p)
          put(p, lane, (writer->values.destination[0].lane[lane] >> p & 1) != 0);
    }
  }
}

}  // namespace gt200::model
