// libsystemc refers to sc_main, so every program with a model in it needs one. Nothing is simulated here.
extern "C" int sc_main(int, char**) { return 0; }
