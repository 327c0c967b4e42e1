"""The text of the short way into the native driver, in LLVM IR: what `driver.Entry` runs.

It stands behind `driver_text.DRIVER`, in one module with it. Its words are those of an Entry: the
commands and how many there are, where the addresses of places stand, at which byte of an array's
object the address of its data is, how many places there are, and their objects.
"""

ENTRY = """
; As `run`, after the first places are put where arrays lie: their objects tell. See above.
define i64 @enter(ptr %words) {
entry:
  %commands = load ptr, ptr %words
  %count.at = getelementptr i64, ptr %words, i64 1
  %count = load i64, ptr %count.at
  %addresses.at = getelementptr i64, ptr %words, i64 2
  %addresses = load ptr, ptr %addresses.at
  %header.at = getelementptr i64, ptr %words, i64 3
  %header = load i64, ptr %header.at
  %places.at = getelementptr i64, ptr %words, i64 4
  %places = load i64, ptr %places.at
  %objects = getelementptr i64, ptr %words, i64 5
  br label %next
next:
  %place = phi i64 [ 0, %entry ], [ %following, %look ]
  %more = icmp slt i64 %place, %places
  br i1 %more, label %look, label %execute
look:
  %object.at = getelementptr ptr, ptr %objects, i64 %place
  %object = load ptr, ptr %object.at
  %data.at = getelementptr i8, ptr %object, i64 %header
  %data = load ptr, ptr %data.at
  %address.at = getelementptr ptr, ptr %addresses, i64 %place
  store ptr %data, ptr %address.at
  %following = add i64 %place, 1
  br label %next
execute:
  %failed = call i64 @run(ptr %commands, i64 %count, ptr null)
  ret i64 %failed
}
"""
