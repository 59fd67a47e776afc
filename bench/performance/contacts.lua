-- Writes the requests of `wrk -s contacts.lua URL -- KEY FIRST`: each sends the contact of another visitor from another
-- network. FIRST is the number of the first visitor, so that no two runs send the same contacts.
local key, visitor

function init(arguments)
  key = arguments[1]
  visitor = tonumber(arguments[2])
end

function request()
  visitor = visitor + 1
  local third = visitor % 65536
  local address = string.format(
    "%d.%d.%d.%d", 11 + math.floor(visitor / 65536) % 89, math.floor(third / 256), third % 256, 1 + visitor % 254
  )
  local body = string.format(
    '{"name":"Ada Heron","company":"Heron and Daughters","email":"visitor-%d@bench.example","interest":"consulting"}',
    visitor
  )
  local headers = { ["content-type"] = "application/json", apikey = key, ["x-forwarded-for"] = address }
  return wrk.format("POST", nil, headers, body)
end
