// Planted for the tests of unity batches: its function has the name of one in number_of.cpp.
namespace {

int number_of(int number) { return number + 1; }

}  // namespace

int planted_namesake() { return number_of(1); }
