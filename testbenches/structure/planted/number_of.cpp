// Planted for the tests of unity batches: its function has the name of one in namesake.cpp.
namespace {

int number_of(int number) { return number; }

}  // namespace

int planted_number() { return number_of(1); }
