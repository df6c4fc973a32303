// MoarVM's profiles as SQL: statements that make seven tables. SQLite itself runs them, in a database in memory, and
// may do nothing else: it makes these tables, and adds rows of constants to them.
#pragma once

#include <string>

#include "base/status.h"
#include "imports/moar_profile.h"

namespace oriel::statements {

// An imports::ReadStatements.
Status read_moar_sql(const std::string& text, imports::MoarProfile& profile, std::string& cut);

}  // namespace oriel::statements
