// A shared object that is no plug-in.
extern "C" int gt200_test_no_plugin() { return 1; }
