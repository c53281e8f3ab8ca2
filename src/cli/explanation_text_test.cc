#include "cli/explanation_text.h"

#include <gtest/gtest.h>

namespace taula::cli {
namespace {

TEST(ExplanationText, IsForPeople) {
  EXPECT_EQ(ExplanationText(
                R"({"operation":"Query","tables":["kefir"],"index":"GSI1","access":"query",)"
                R"("operations":[{"design":"kefir","operation":"batchById"}],"entities":["Batch","User"],)"
                R"("readUnits":2.5,"writeUnits":0.0,"itemsRead":10,"itemsReturned":2,"itemsFilteredOut":8,"more":true,)"
                R"("advice":[{"code":"no-limit","text":"Use a Limit."}]})"),
            "Request     Query kefir\n"
            "Operation   batchById of kefir\n"
            "Entities    Batch, User\n"
            "Served by   a range of the index GSI1\n"
            "Cost        2.5 read units\n"
            "Items       10 read, 2 returned, 8 thrown away by the filter; there are more\n"
            "Advice      Use a Limit.\n");
}

TEST(ExplanationText, TellsWhatAWriteCostsEachIndex) {
  EXPECT_EQ(ExplanationText(R"({"operation":"PutItem","tables":["t"],"access":"key","operations":[],"entities":[],)"
                            R"("readUnits":0.0,"writeUnits":3.0,"units":{"t":1.0,"GSI1":2.0},"advice":[]})"),
            "Request     PutItem t\n"
            "Operation   none of a design\n"
            "Served by   the table's key\n"
            "Cost        3 write units (t 1, GSI1 2)\n");
}

TEST(ExplanationText, ShowsWhatItCannotRead) { EXPECT_EQ(ExplanationText("what?"), "what?\n"); }

}  // namespace
}  // namespace taula::cli
