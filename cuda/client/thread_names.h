// Names of threads that do not depend on which of them is faster: 0 for the first one, and for another the name of
// the thread that created it, a point, and a number from 1 on.
//
// The libraries of the APIs define pthread_create(), in front of that of the C library, to see who creates whom. A
// thread that they have not seen being created is named by the order of first calls, with a question mark in front.
#pragma once

#include <string>

namespace gt200::cudart {

const std::string& name_of_this_thread();
// Of the next thread that this one creates.
std::string name_of_next_thread();
// While one is alive, this thread creates a thread that has a name: a program may link the libraries of both APIs.
class naming {
 public:
  naming();
  ~naming();
  naming(const naming&) = delete;
  naming& operator=(const naming&) = delete;
  static bool is_under_way();
};
void set_name_of_this_thread(const std::string& name);

}  // namespace gt200::cudart
