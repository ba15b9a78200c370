#include "sc_models/ids.h"

#include <gtest/gtest.h>

namespace gt200::model {
namespace {

TEST(ids, say_what_they_are_of_who_gave_them_and_the_how_manieth) {
  EXPECT_EQ(text_of_id(id_base(id_kind::instruction, 12) + 345), "i12.345");
  EXPECT_EQ(text_of_id(id_base(id_kind::load_store, 0) + 1), "m0.1");
  EXPECT_EQ(text_of_id(id_base(id_kind::texture, 9) + 7), "t9.7");
  EXPECT_EQ(text_of_id(id_base(id_kind::page_walk, 3) + 2), "p3.2");
  EXPECT_EQ(text_of_id(id_base(id_kind::instruction_fill, 29) + 4), "f29.4");
  EXPECT_EQ(text_of_id(id_base(id_kind::host, 0) + 5), "h0.5");
  EXPECT_EQ(text_of_id(id_base(id_kind::constant_fill, 1) + (std::uint64_t{1} << 39)), "c1.549755813888");
  EXPECT_EQ(text_of_id(0), "");
}

TEST(ids, are_read_as_they_are_written) {
  for (const char* text : {"i0.1", "i29.1099511627775", "m9.17", "t0.3", "p65535.1", "f2.2", "c3.4"}) {
    const auto id = id_of_text(text);
    ASSERT_TRUE(id) << text;
    EXPECT_EQ(text_of_id(*id), text);
  }
}

TEST(ids, of_other_forms_are_refused) {
  for (const char* text : {"", "i", "i0", "i0.", "i.1", "i0.0", "x0.1", "i0.1x", "i65536.1", "i0.1099511627776",
                           "12", "i-1.2", " i0.1"})
    EXPECT_FALSE(id_of_text(text)) << text;
}

}  // namespace
}  // namespace gt200::model
