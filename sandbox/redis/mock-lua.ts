import { z } from 'zod';
import { RedisCommandError, type RedisReply } from './reply.ts';

/**
 * ioredis-mock hands JavaScript arrays and null to Lua as opaque userdata, knows neither `redis.status_reply` nor
 * `redis.error_reply`, loses error messages, and gives fractions and booleans back where Redis gives integers and
 * null. This prelude turns every reply into a plain Lua table (null as false, as Redis does) and sends the script's
 * own result back as JSON, converted by Redis's rules.
 */
const PRELUDE = `
local jsNull = call(true, 'TIME')[0]
local plain
local function list(array, from)
  local out = {}
  for i = from, array.length - 1 do out[i - from + 1] = plain(array[i]) end
  return out
end
function plain(value)
  if value == nil or rawequal(value, jsNull) then return false end
  if type(value) == 'userdata' then return list(value, 0) end
  return value
end
local function numberText(n)
  if n % 1 == 0 then return string.format('%.0f', n) end
  return string.format('%.17g', n)
end
local function invoke(...)
  local args = {...}
  for i = 1, #args do
    if type(args[i]) == 'number' then args[i] = numberText(args[i]) end
    -- ioredis-mock reads the options of SET in upper case only.
    if i > 3 and string.upper(args[1]) == 'SET' then args[i] = string.upper(args[i]) end
  end
  local value = call(true, table.unpack(args))
  if type(value) ~= 'userdata' then return plain(value) end
  if value[0] == 'error' then
    local message = string.gsub(value[1], '^Error: ', '')
    if string.find(message, '^TypeError') then message = 'ERR Unknown Redis command called from script' end
    return { err = message }
  end
  return list(value, 1)
end
redis.pcall = invoke
redis.call = function(...)
  local value = invoke(...)
  if type(value) == 'table' and value.err then error(value) end
  return value
end
redis.status_reply = function(text) return { ok = text } end
redis.error_reply = function(text) return { err = text } end
redis.log = function() end
local luaTostring = tostring
function tostring(value)
  if type(value) == 'number' then return numberText(value) end
  return luaTostring(value)
end
local function quote(text)
  return '"' .. string.gsub(text, '[%c"\\\\]', function(c) return string.format('\\\\u%04x', string.byte(c)) end) .. '"'
end
local function encode(value)
  local kind = type(value)
  if kind == 'number' then return string.format('%.0f', value >= 0 and math.floor(value) or math.ceil(value)) end
  if kind == 'string' then return quote(value) end
  if kind == 'boolean' then return value and '1' or 'null' end
  if kind ~= 'table' then return 'null' end
  if value.err then return '{"err":' .. quote(luaTostring(value.err)) .. '}' end
  if value.ok then return quote(value.ok) end
  local items = {}
  for i = 1, #value do
    if value[i] == nil then break end
    items[i] = encode(value[i])
  end
  return '[' .. table.concat(items, ',') .. ']'
end
local function run()
`;

const EPILOGUE = `
end
local done, value = pcall(run)
if done then return encode(value) end
if type(value) == 'table' then return encode({ err = value.err }) end
return encode({ err = 'ERR Error running script: ' .. luaTostring(value) })
`;

const scriptResult: z.ZodType<RedisReply> = z.lazy(() =>
  z.union([z.string(), z.number(), z.null(), z.array(scriptResult)]),
);
const scriptAnswer = z.union([z.object({ err: z.string() }), scriptResult]);

/** The script as ioredis-mock must get it; its answer goes through `readScriptAnswer`. */
export function wrapScript(script: string): string {
  return `${PRELUDE}${script}${EPILOGUE}`;
}

/** @throws RedisCommandError when the script returned or raised an error */
export function readScriptAnswer(json: unknown): RedisReply {
  const answer = scriptAnswer.parse(JSON.parse(String(json)));
  if (answer !== null && typeof answer === 'object' && 'err' in answer) throw new RedisCommandError(answer.err);
  return answer;
}
