// Memory of the host program in large pages.
#pragma once

namespace gt200::apps {

// Asks Linux to keep the heap in pages of 2 MiB where it can: a simulated chip is tens of megabytes that every
// cycle walks through, more than the host's address translation caches cover in pages of 4 KiB. To be called once,
// before anything large is allocated. Changes no result; does nothing on hosts without glibc.
void use_large_pages_for_heap();

}  // namespace gt200::apps
