-- Sends the requests of a file, one after the other, again and again.
--
--   wrk ... -s wrk.lua <address> -- <file> <first number> [<items> <events per batch>]
--
-- The file holds "<length>\n<request>" for each. Requests that hold a place for a number are put together as they are
-- sent; all others are strings made once, so that wrk costs the same few instructions whoever answers. The places
-- are ten characters wide, as are the numbers, so that Content-Length holds:
--
--   @sequence@  counts the requests      @previous@  the sequence 4096 requests ago
--   @batch-no@  @event-no@               a random one of <items> events

local requests = {}
local next_request = 0
sequence = 0  -- global, so that done() can ask a thread for it

local items, events_per_batch

local function pieces_of(text)
  local pieces, position = {}, 1
  while true do
    local first, last = text:find("@[%a-]+@", position)
    if not first then break end
    if last - first == 9 then
      pieces[#pieces + 1] = text:sub(position, first - 1)
      pieces[#pieces + 1] = text:sub(first, last)
      position = last + 1
    else
      error("a place for a number is ten characters wide: " .. text:sub(first, last))
    end
  end
  if #pieces == 0 then return nil end
  pieces[#pieces + 1] = text:sub(position)
  return pieces
end

local function digits(number) return string.format("%010d", number) end

local values, text = {}, {}  -- kept from request to request
local function numbered(pieces)
  values["@sequence@"], values["@previous@"] = digits(sequence), digits(sequence - 4096)
  if items then
    local event = math.random(0, items - 1)
    values["@batch-no@"] = digits(math.floor(event / events_per_batch))
    values["@event-no@"] = digits(event % events_per_batch)
  end
  for i = 1, #pieces do text[i] = values[pieces[i]] or pieces[i] end
  return table.concat(text, "", 1, #pieces)
end

local function send_as_they_are()
  next_request = next_request + 1
  local text = requests[next_request]
  if text then return text end
  next_request = 1
  return requests[1]
end

local function send_numbered()
  sequence = sequence + 1
  next_request = next_request % #requests + 1
  return numbered(requests[next_request])
end

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  while true do
    local length = file:read("*n")
    if not length then break end
    file:read(1)
    requests[#requests + 1] = file:read(length)
  end
  file:close()
  sequence = tonumber(arguments[2])
  items, events_per_batch = tonumber(arguments[3]), tonumber(arguments[4])
  math.randomseed(sequence)  -- so that no round reads the keys that another has just read
  if pieces_of(requests[1]) then
    for i = 1, #requests do requests[i] = pieces_of(requests[i]) end
    request = send_numbered
  else
    request = send_as_they_are
  end
end

local threads = {}
function setup(thread) threads[#threads + 1] = thread end

function done(summary, latency)
  io.write(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"bytes":%d,"sequence":%d,'
      .. '"p50":%.1f,"p99":%.1f,"p999":%.1f,"max":%.1f,'
      .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\n',
    summary.requests, summary.duration, summary.bytes, threads[1]:get("sequence"),
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9), latency.max,
    summary.errors.connect, summary.errors.read, summary.errors.write, summary.errors.status, summary.errors.timeout))
end
