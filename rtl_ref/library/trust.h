// Whether somebody else could have written what this process is about to load.
#pragma once

#include <string>

namespace gt200::rtl {

// Throws input_error with the reason and a remedy unless the folder, and all that is in it, belongs to this user or
// to root and can be written by the owner alone. Links are refused.
void require_own(const std::string& folder);

// The same of a folder alone, which may be named by a link. No folder above it may be one that everybody may write,
// unless it has the sticky bit: names in it can be exchanged.
void require_own_folder(const std::string& folder);

// Takes the right to write from all but the owner, whatever the umask is.
void keep_for_owner(const std::string& folder);

}  // namespace gt200::rtl
