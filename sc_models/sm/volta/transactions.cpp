#include "sc_models/sm/volta/transactions.h"

#include "tlm_bus/token_trace.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const barrier_release& release) {
  to.identifier("id", release.id);
  to.number("warp", 6, release.warp.index());
  to.number("barrier", 3, release.barrier);
}

void describe(tlm_bus::event_details& event, const barrier_release& release) {
  event.id = release.id;
  event.add(release.warp.index());
  event.add(release.barrier);
}

void show(tlm_bus::signal_writer& to, const operand_progress& progress) {
  to.identifier("id", progress.id);
  to.number("warp", 6, progress.warp.index());
  to.flag("written", progress.written);
}

void describe(tlm_bus::event_details& event, const operand_progress& progress) {
  event.id = progress.id;
  event.add(progress.warp.index());
  event.add(progress.written);
}

}  // namespace gt200::model
