// Shared objects that a user gives, such as plug-ins and RTL: whether an exception, a crash or an object comes from
// one of them. So an error can be named as theirs, and not as a defect of the program that has loaded them.
//
// Which code has thrown is noted when it throws, because its stack is gone when the exception is caught: the
// program has a __cxa_throw of its own in front of that of the C++ library (apps/noted_throw.cpp). It costs nothing
// unless something is thrown, and little until such an object is loaded.
#pragma once

#include <string>

namespace gt200 {

// `name`: how messages call it, such as "plug-in mine (/folder/libmine.so)". `handle`: of dlopen(). A second name
// for the same object is not kept.
void note_foreign_object(const std::string& name, void* handle);

// Code at `thrower` throws the exception that lies at `thrown`, on this thread.
void note_throw(const void* thrown, const void* thrower);

struct foreign_source {
  std::string name;  // empty: no such object took part
  bool own = false;  // its own code has thrown; otherwise code of the program that it has called
  explicit operator bool() const { return !name.empty(); }
};

// The object whose code has thrown this exception or has called what did: the innermost one. `thrown`: where the
// whole exception lies; null: the last one that this thread has thrown. Nothing is known of others than that last
// one, and of none if nobody calls note_throw().
foreign_source source_of_exception(const void* thrown = nullptr);
// "fault of plug-in mine (/folder/libmine.so)", or "fault in a call by" it; empty if no such object took part.
std::string text_of_source(const void* thrown);

// The same for a place in the code that runs or has called what runs, such as the one at which a signal came.
// Allocates nothing. `name` is null if no such object takes part.
struct foreign_caller {
  const char* name = nullptr;
  bool own = false;
};
foreign_caller foreign_code_at(const void* place);

// The name of the object to which an address belongs, such as that of a table of virtual functions; empty if none.
std::string foreign_object_at(const void* address);

}  // namespace gt200
