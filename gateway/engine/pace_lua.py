"""What was sent, counted in Redis for all processes: the same decisions as pace_windows.py, each in one script.

A scope has two keys: `n:` a sorted set with an entry `id tokens` for each request of the last minute, and `s:` a hash
of sums: `w` the limits it counts for (absent: cold), `tok` the tokens of the minute, `o` the oldest piece of the day,
`R` and `T` requests and tokens of the day, `r<piece>` and `t<piece>` those of one, `M<month>` the requests of a month.
A connection has `o:`, its open calls by when they expire, `a:`, its adapted limit, and `q:` what its provider states
(`metric|window` what is left, with `@` behind it when it resets, with `@@` since when it has been counted down). `live`
names the connections and models for which there is a limit that no operator set, and until when, so that all processes
know to ask. Times are milliseconds.
"""

from __future__ import annotations

from typing import Final

from gateway.engine.redis_line import script_of

PREFIX: Final = "bench:pace:"
LIVE_KEY: Final = "bench:pace:live"
_SHARED: Final = """
local HOUR, DAY, PIECE, FIRST_FROM = 3600000, 86400000, 300000, 10
local function sum(key, name) return tonumber(redis.call('HGET', key, name) or 0) end
local function adapted(key, now)
  local state = redis.call('HMGET', key, 'limit', 'cut', 'until', 'won', 'used')
  if state[1] and tonumber(state[3]) > now then
    return tonumber(state[1]), tonumber(state[2]), tonumber(state[4]), state[5] == '1'
  end
end
local function mark_live(key, name, till, now)
  if till > sum(key, name) then redis.call('HSET', key, name, till) end
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do if tonumber(all[i + 1]) <= now then redis.call('HDEL', key, all[i]) end end
end
"""
# KEYS: open calls, adapted limit, stated limits..., (entries, sums) of each scope.
# ARGV: now, id, tokens, of these input and output, expires at, piece, month, end of month, parallel, registered, number
# of stated, number of scopes, then for each scope: what it counts, rpm, tpm, rpd, tpd, rpmo. No limit: ''.
# Answers: {0} go; {1, scope} cold; {2, wait, who, axis, used, limit}, who: 0 the connection, n a stated, -n a scope.
TAKE: Final = script_of(
    _SHARED
    + """
local now, id, tokens = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local piece, month = tonumber(ARGV[7]), ARGV[8]
local registered, stated, scopes = ARGV[11] == '1', tonumber(ARGV[12]), tonumber(ARGV[13])
local why
local function block(wait, who, axis, used, limit)
  if not why or wait > why[2] then why = {2, wait, who, axis, used, limit} end
end
local adapts
if registered then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  local cap, axis, open = tonumber(ARGV[10]), 'parallel', redis.call('ZCARD', KEYS[1])
  adapts = adapted(KEYS[2], now)
  if adapts then
    if not cap or adapts < cap then cap, axis = adapts, 'adapted' end
    if open >= adapts then redis.call('HSET', KEYS[2], 'used', 1) end
  end
  if cap and open >= cap then block(0, 0, axis, open, cap) end
end
for n = 1, stated do
  local all, names = redis.call('HGETALL', KEYS[2 + n]), {}
  local left = {}
  for i = 1, #all, 2 do left[all[i]] = tonumber(all[i + 1]) end
  for name in pairs(left) do if string.sub(name, -1) ~= '@' then names[#names + 1] = name end end
  table.sort(names)
  for _, name in ipairs(names) do
    local reset = left[name .. '@']
    if reset > now and left[name] <= 0 then block(reset - now, n, name, 0, 0) end
  end
end
local function minute(key, sums, who, rpm, tpm)
  local past = redis.call('ZRANGEBYSCORE', key, '-inf', now - 60000)
  if #past > 0 then
    local spent = 0
    for _, entry in ipairs(past) do spent = spent + tonumber(string.match(entry, '(%d+)$')) end
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - 60000)
    redis.call('HINCRBY', sums, 'tok', -spent)
  end
  if tpm and redis.call('EXISTS', key) == 0 then redis.call('HDEL', sums, 'tok') end
  if rpm then
    local used = redis.call('ZCARD', key)
    if used >= rpm then
      local last = redis.call('ZRANGE', key, used - rpm, used - rpm, 'WITHSCORES')
      block(math.max(tonumber(last[2]) + 60000 - now, 1), who, 'rpm', used, rpm)
    end
  end
  if tpm then
    local used, room = sum(sums, 'tok'), math.max(tpm - tokens, 0)
    if used > room then
      local left, all = used, redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
      for i = 1, #all, 2 do
        left = left - tonumber(string.match(all[i], '(%d+)$'))
        if left <= room then
          block(math.max(tonumber(all[i + 1]) + 60000 - now, 1), who, 'tpm', used, tpm)
          break
        end
      end
    end
  end
end
local function day_wait(sums, field, used, room, oldest)
  for at = oldest, piece do
    used = used - sum(sums, field .. at)
    if used <= room then return math.max((at + 1) * PIECE + DAY - now, 1) end
  end
  return DAY
end
local function day(sums, who, rpd, tpd)
  local oldest, first = tonumber(redis.call('HGET', sums, 'o') or piece), math.floor((now - DAY) / PIECE)
  if oldest < first then
    for at = oldest, math.min(first - 1, oldest + 300) do
      local past = redis.call('HMGET', sums, 'r' .. at, 't' .. at)
      if past[1] then
        redis.call('HINCRBY', sums, 'R', -tonumber(past[1]))
        redis.call('HINCRBY', sums, 'T', -tonumber(past[2]))
        redis.call('HDEL', sums, 'r' .. at, 't' .. at)
      end
    end
    oldest = first
    redis.call('HSET', sums, 'o', oldest)
  end
  if rpd then
    local used = sum(sums, 'R')
    if used >= rpd then block(day_wait(sums, 'r', used, rpd - 1, oldest), who, 'rpd', used, rpd) end
  end
  if tpd then
    local used, room = sum(sums, 'T'), math.max(tpd - tokens, 0)
    if used > room then block(day_wait(sums, 't', used, room, oldest), who, 'tpd', used, tpd) end
  end
end
local function place_of(n)
  local at = 13 + (n - 1) * 6
  local limit = {}
  for i = 1, 5 do limit[i] = tonumber(ARGV[at + 1 + i]) end
  return KEYS[2 + stated + n * 2 - 1], KEYS[2 + stated + n * 2], ARGV[at + 1], limit
end
for n = 1, scopes do
  local entries, sums, counts, limit = place_of(n)
  if redis.call('HGET', sums, 'w') ~= counts then return {1, n} end
  if limit[1] or limit[2] then minute(entries, sums, -n, limit[1], limit[2]) end
  if limit[3] or limit[4] then day(sums, -n, limit[3], limit[4]) end
  if limit[5] then
    local used = sum(sums, 'M' .. month)
    if used >= limit[5] then block(tonumber(ARGV[9]) - now, -n, 'rpmo', used, limit[5]) end
  end
end
if why then return why end
for n = 1, scopes do
  local entries, sums, _, limit = place_of(n)
  local life = HOUR
  if limit[1] or limit[2] then
    redis.call('ZADD', entries, now, id .. ' ' .. tokens)
    if tokens > 0 then redis.call('HINCRBY', sums, 'tok', tokens) end
    redis.call('PEXPIRE', entries, HOUR)
  end
  if limit[3] or limit[4] then
    life = DAY + HOUR
    if redis.call('HSETNX', sums, 'o', piece) == 0 and sum(sums, 'o') > piece then
      redis.call('HSET', sums, 'o', piece)
    end
    redis.call('HINCRBY', sums, 'r' .. piece, 1)
    redis.call('HINCRBY', sums, 't' .. piece, tokens)
    redis.call('HINCRBY', sums, 'R', 1)
    redis.call('HINCRBY', sums, 'T', tokens)
  end
  if limit[5] then
    life = 32 * DAY
    redis.call('HINCRBY', sums, 'M' .. month, 1)
  end
  redis.call('PEXPIRE', sums, life)
end
local costs = {requests = 1, tokens = tokens, ['input-tokens'] = ARGV[4], ['output-tokens'] = ARGV[5]}
for n = 1, stated do
  for _, name in ipairs(redis.call('HKEYS', KEYS[2 + n])) do
    if string.sub(name, -1) ~= '@' then
      redis.call('HINCRBY', KEYS[2 + n], name, -tonumber(costs[string.match(name, '^[^|]*')]))
    end
  end
end
if registered then
  redis.call('ZADD', KEYS[1], ARGV[6], id)
  redis.call('PEXPIRE', KEYS[1], DAY)
  if adapts and redis.call('ZCARD', KEYS[1]) >= adapts then redis.call('HSET', KEYS[2], 'used', 1) end
end
return {0}
"""
)
# KEYS: open calls, adapted limit, (entries, sums) of each scope, stated limits...
# ARGV: now, id, tokens as estimated, as used, taken at, its piece, its month, registered, undone, answered, number of
# scopes, then what each counts, then input and output as estimated. Answers the adapted limit where it has grown, else
# 0.
SETTLE: Final = script_of(
    _SHARED
    + """
local now, id, estimate, used = tonumber(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4])
local at, piece, month, undone = tonumber(ARGV[5]), ARGV[6], ARGV[7], ARGV[9] == '1'
if ARGV[8] == '1' then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZREM', KEYS[1], id) == 0 then return 0 end
end
local function correct(sums, field, by, total)
  local was = redis.call('HGET', sums, field)
  if not was then return end
  was = tonumber(was)
  local is = math.max(was + by, 0)
  redis.call('HSET', sums, field, is)
  if total then redis.call('HINCRBY', sums, total, is - was) end
end
for n = 1, tonumber(ARGV[11]) do
  local entries, sums = KEYS[1 + n * 2], KEYS[2 + n * 2]
  if redis.call('HGET', sums, 'w') == ARGV[11 + n] then
    if redis.call('ZREM', entries, id .. ' ' .. estimate) == 1 then
      if not undone then redis.call('ZADD', entries, at, id .. ' ' .. used) end
      redis.call('HINCRBY', sums, 'tok', used - estimate)
    end
    if undone then correct(sums, 'r' .. piece, -1, 'R') end
    correct(sums, 't' .. piece, used - estimate, 'T')
    if undone then correct(sums, 'M' .. month, -1) end
  end
end
local last = 11 + tonumber(ARGV[11])
local input, output = tonumber(ARGV[last + 1]), tonumber(ARGV[last + 2])
local back = {tokens = input + output - used, ['output-tokens'] = output - math.max(used - input, 0)}
if undone then
  back = {requests = 1, tokens = input + output, ['input-tokens'] = input, ['output-tokens'] = output}
end
for n = 3 + tonumber(ARGV[11]) * 2, #KEYS do
  for _, name in ipairs(redis.call('HKEYS', KEYS[n])) do
    local more = string.sub(name, -1) ~= '@' and back[string.match(name, '^[^|]*')]
    if more and sum(KEYS[n], name .. '@@') <= at then redis.call('HINCRBY', KEYS[n], name, more) end
  end
end
local limit, cut, won, reached = adapted(KEYS[2], now)
if not limit or ARGV[10] ~= '1' or not reached or at <= cut then return 0 end
if won + 1 < limit then
  redis.call('HINCRBY', KEYS[2], 'won', 1)
  return 0
end
redis.call('HSET', KEYS[2], 'limit', limit + 1, 'won', 0, 'used', 0)
return limit + 1
"""
)
# KEYS: open calls, adapted limit, live. ARGV: now, sent at, the connection's name among the live, then id and expiry of
# each of this process's open calls. Answers {new limit or 0, open calls}.
CUT: Final = script_of(
    _SHARED
    + """
local now, sent = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
for i = 4, #ARGV, 2 do redis.call('ZADD', KEYS[1], ARGV[i + 1], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], DAY)
local open = redis.call('ZCARD', KEYS[1])
local limit, cut = adapted(KEYS[2], now)
if limit and (sent <= cut or open <= 1) then return {0, open} end
limit = math.max(1, math.floor(math.max(open, limit or FIRST_FROM) / 2))
redis.call('HSET', KEYS[2], 'limit', limit, 'cut', now, 'until', now + HOUR, 'won', 0, 'used', 0)
redis.call('PEXPIRE', KEYS[2], HOUR * 2)
mark_live(KEYS[3], ARGV[3], now + HOUR, now)
return {limit, open}
"""
)
# KEYS: stated limits, live. ARGV: now, `metric|window`, what is left, when it resets, the name among the live.
TELL: Final = script_of(
    _SHARED
    + """
local now, name, left, reset = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local known, since = redis.call('HMGET', KEYS[1], name, name .. '@', name .. '@@'), now
if known[1] then
  local at = tonumber(known[2])
  if at > now and math.abs(at - reset) <= 1000 then
    left, since = math.min(left, tonumber(known[1])), tonumber(known[3] or now)
  end
end
redis.call('HSET', KEYS[1], name, left, name .. '@', reset, name .. '@@', since)
local life = math.max(reset - now, 0) + HOUR
if redis.call('PTTL', KEYS[1]) < life then redis.call('PEXPIRE', KEYS[1], life) end
mark_live(KEYS[2], ARGV[5], reset, now)
return 1
"""
)
# KEYS: entries, sums. ARGV: what it counts, force, month, its requests, number of entries, (at, id, tokens)..., then
# (piece, requests, tokens)... Answers 1 when it has filled them, 0 when another was faster.
WARM: Final = script_of(
    _SHARED
    + """
if ARGV[2] ~= '1' and redis.call('HGET', KEYS[2], 'w') == ARGV[1] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[2], 'w', ARGV[1])
local spent, last = 0, 5 + tonumber(ARGV[5]) * 3
for i = 6, last, 3 do
  redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1] .. ' ' .. ARGV[i + 2])
  spent = spent + tonumber(ARGV[i + 2])
end
redis.call('HSET', KEYS[2], 'tok', spent)
local requests, tokens, oldest = 0, 0, nil
for i = last + 1, #ARGV, 3 do
  local piece = tonumber(ARGV[i])
  redis.call('HSET', KEYS[2], 'r' .. piece, ARGV[i + 1], 't' .. piece, ARGV[i + 2])
  requests, tokens = requests + tonumber(ARGV[i + 1]), tokens + tonumber(ARGV[i + 2])
  if not oldest or piece < oldest then oldest = piece end
end
if oldest then redis.call('HSET', KEYS[2], 'o', oldest, 'R', requests, 'T', tokens) end
if ARGV[3] ~= '' then redis.call('HSET', KEYS[2], 'M' .. ARGV[3], ARGV[4]) end
redis.call('PEXPIRE', KEYS[1], HOUR)
redis.call('PEXPIRE', KEYS[2], 32 * DAY)
return 1
"""
)
