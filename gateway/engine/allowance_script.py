"""What Redis does for the limits of keys, each in one call and so all or nothing.

A key K has under `bench:key:K` (amounts are three whole numbers under 2^53: requests, tokens, nano-dollars; times are
epoch seconds):

    :rpm             its requests of the last minute: name by time
    :tpm, :tokens    its tokens of the last minute: name by time, and name to tokens with the sum under `=`
    :open, :held     what is reserved: name by when it lapses, and name to three amounts, with sums under `=1` to `=3`
    :2026-11-29      what it has spent that day, fields 1 to 3, and when that was read (`read`)
    :2026-11         the same of the month
"""

from __future__ import annotations

from typing import Final

from gateway.engine.redis_line import script_of

PREFIX: Final = "bench:key:"
LOAD, BUDGET = "load", "budget"

_COMMON: Final = """
local P, now = KEYS[1], tonumber(ARGV[1])
local DAY_LIFE, MONTH_LIFE, FRESH = 172800, 2851200, 60

local function whole(number) return string.format('%.0f', number) end

-- Leaves this much reserved under a name; nothing where it is over.
local function hold(name, left, over)
  local had = redis.call('HGET', P .. ':held', name)
  if not had then return end
  local place = 0
  for amount in string.gmatch(had, '%d+') do
    place = place + 1
    local rest = over and 0 or tonumber(left[place])
    redis.call('HINCRBY', P .. ':held', '=' .. place, whole(rest - tonumber(amount)))
  end
  if not over then
    redis.call('HSET', P .. ':held', name, table.concat(left, ' '))
    return
  end
  redis.call('ZREM', P .. ':open', name)
  redis.call('HDEL', P .. ':held', name)
  if redis.call('EXISTS', P .. ':open') == 0 then redis.call('DEL', P .. ':held') end
end

-- What is spent only grows: news that come late or twice never lower it.
local function raise(key, amounts, life)
  local had = redis.call('HMGET', key, '1', '2', '3')
  for place = 1, 3 do
    if tonumber(amounts[place]) > tonumber(had[place] or '-1') then
      redis.call('HSET', key, place, amounts[place])
    end
  end
  redis.call('EXPIRE', key, life)
end

local function counted(name, tokens, at)
  local had = redis.call('HGET', P .. ':tokens', name)
  redis.call('HINCRBY', P .. ':tokens', '=', whole(tokens - tonumber(had or '0')))
  if tokens > 0 then
    redis.call('HSET', P .. ':tokens', name, whole(tokens))
    redis.call('ZADD', P .. ':tpm', at, name)
  else
    redis.call('HDEL', P .. ':tokens', name)
    redis.call('ZREM', P .. ':tpm', name)
  end
end
"""

TAKE: Final = script_of(
    _COMMON
    + """
-- ARGV: now, name, rpm, tpm, tokens; with budgets also when it lapses, day, month, three amounts to reserve, and for
-- each budget: which amount, `day` or `month`, the limit. Takes all or nothing and answers `ok`, or what stands against
-- it: {budget, its place, spent, reserved}, {rpm, when the oldest was}, {tpm, when enough of them began}. {load}: what
-- was spent must be read first.
local name, rpm, tpm = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local budgets = #ARGV > 5
if budgets then
  local lapsed = redis.call('ZRANGEBYSCORE', P .. ':open', '-inf', ARGV[1])
  for _, one in ipairs(lapsed) do hold(one, {}, true) end
  local spent = {day = P .. ':' .. ARGV[7], month = P .. ':' .. ARGV[8]}
  -- Whoever let a reservation lapse has died, perhaps between its commit and its news.
  if #lapsed > 0 then redis.call('DEL', spent.day, spent.month) end
  for period, key in pairs(spent) do
    spent[period] = redis.call('HMGET', key, '1', '2', '3', 'read')
    local read = tonumber(spent[period][4] or '0')
    if read <= now - FRESH or read > now + FRESH then return {'load'} end
  end
  local held = redis.call('HMGET', P .. ':held', '=1', '=2', '=3')
  for at = 12, #ARGV, 3 do
    local place = tonumber(ARGV[at])
    local used, reserved = tonumber(spent[ARGV[at + 1]][place] or '0'), tonumber(held[place] or '0')
    if used + reserved >= tonumber(ARGV[at + 2]) then return {'budget', (at - 12) / 3, used, reserved} end
  end
end
if rpm > 0 then
  redis.call('ZREMRANGEBYSCORE', P .. ':rpm', '-inf', now - 60)
  if redis.call('ZCARD', P .. ':rpm') >= rpm then
    return {'rpm', redis.call('ZRANGE', P .. ':rpm', 0, 0, 'WITHSCORES')[2]}
  end
end
if tpm > 0 then
  for _, one in ipairs(redis.call('ZRANGEBYSCORE', P .. ':tpm', '-inf', now - 60)) do counted(one, 0) end
  local sum = tonumber(redis.call('HGET', P .. ':tokens', '=') or '0')
  if sum >= tpm then
    local window = redis.call('ZRANGE', P .. ':tpm', 0, -1, 'WITHSCORES')
    local at = 1
    while at < #window do
      sum = sum - tonumber(redis.call('HGET', P .. ':tokens', window[at]) or '0')
      if sum < tpm then break end
      at = at + 2
    end
    return {'tpm', window[math.min(at + 1, #window)]}
  end
  counted(name, tonumber(ARGV[5]), ARGV[1])
  redis.call('EXPIRE', P .. ':tpm', 3600)
  redis.call('EXPIRE', P .. ':tokens', 3600)
end
if rpm > 0 then
  redis.call('ZADD', P .. ':rpm', ARGV[1], name)
  redis.call('EXPIRE', P .. ':rpm', 61)
end
if budgets then
  redis.call('ZADD', P .. ':open', ARGV[6], name)
  redis.call('HSET', P .. ':held', name, ARGV[9] .. ' ' .. ARGV[10] .. ' ' .. ARGV[11])
  for place = 1, 3 do redis.call('HINCRBY', P .. ':held', '=' .. place, ARGV[8 + place]) end
end
return {'ok'}
"""
)

TEACH: Final = script_of(
    _COMMON
    + """
-- ARGV: now, day, month, three amounts spent that day, three in that month. What is known and fresh stays: since it was
-- read, news have kept it, and in their order.
for at, period in ipairs({ARGV[2], ARGV[3]}) do
  local key = P .. ':' .. period
  local read = tonumber(redis.call('HGET', key, 'read') or '0')
  if read <= now - FRESH or read > now + FRESH then
    raise(key, {ARGV[at * 3 + 1], ARGV[at * 3 + 2], ARGV[at * 3 + 3]}, at == 1 and DAY_LIFE or MONTH_LIFE)
    redis.call('HSET', key, 'read', ARGV[1])
  end
end
return 1
"""
)

NEWS: Final = script_of(
    _COMMON
    + """
-- ARGV: now, whether to wait for nobody, day (or nothing), month, the sum of the month's amounts before, three amounts
-- spent that day, three in that month; then for each reservation: name, the three amounts left of it, its tokens
-- so far, whether it is over. Answers 0 and changes nothing where others have committed before and have yet to tell:
-- what they spent is still reserved, and would count twice.
if ARGV[3] ~= '' then
  local month = P .. ':' .. ARGV[4]
  local had = redis.call('HMGET', month, '1', '2', '3')
  if ARGV[2] == '0' and had[1] and had[1] + had[2] + had[3] < tonumber(ARGV[5]) then return 0 end
  raise(P .. ':' .. ARGV[3], {ARGV[6], ARGV[7], ARGV[8]}, DAY_LIFE)
  raise(month, {ARGV[9], ARGV[10], ARGV[11]}, MONTH_LIFE)
end
for at = 12, #ARGV, 6 do
  local name, over = ARGV[at], ARGV[at + 5] == '1'
  hold(name, {ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]}, over)
  if over and redis.call('HEXISTS', P .. ':tokens', name) == 1 then counted(name, tonumber(ARGV[at + 4]), ARGV[1]) end
end
return 1
"""
)
