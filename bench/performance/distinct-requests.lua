-- Writes the requests of `wrk -s distinct-requests.lua URL -- KEY FIRST COUNT BODY`: each has the next number, from FIRST on, in
-- place of `%d` in BODY, and comes from another network. After COUNT numbers they begin again.
local key, first, count, body
local sent = 0

function init(arguments)
  key, first, count, body = arguments[1], tonumber(arguments[2]), tonumber(arguments[3]), arguments[4]
end

function request()
  local number = first + sent % count
  sent = sent + 1
  local address = string.format(
    "%d.%d.%d.%d", 11 + math.floor(number / 65536) % 89, math.floor(number / 256) % 256, number % 256, 1 + number % 254
  )
  local headers = { ["content-type"] = "application/json", apikey = key, ["x-forwarded-for"] = address }
  return wrk.format("POST", nil, headers, (body:gsub("%%d", string.format("%d", number))))
end
