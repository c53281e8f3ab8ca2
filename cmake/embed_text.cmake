# A text file as a C++ source that holds it.
#
#   cmake -DTEXT=<file> -DSOURCE=<.cc> -DHEADER=<include> -DNAMESPACE=<a::b> -DFUNCTION=<name> -P embed_text.cmake
#
# The function returns the text as a std::string_view.
file(READ ${TEXT} text)
# A raw literal has its limit at 64 KB in some compilers, so it comes in pieces.
string(LENGTH "${text}" length)
set(pieces "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 16000 piece)
  string(APPEND pieces "R\"__TEXT__(${piece})__TEXT__\"\n")
  math(EXPR at "${at} + 16000")
endwhile()
file(WRITE ${SOURCE}
"#include \"${HEADER}\"

namespace ${NAMESPACE} {

std::string_view ${FUNCTION}() { return ${pieces}; }

}  // namespace ${NAMESPACE}
")
