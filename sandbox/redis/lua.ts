import fengari from 'fengari';
import { RedisCommandError, type RedisReply } from './reply.ts';
import type { RedisOutcome } from './store.ts';

const { lua, lauxlib, lualib, to_luastring } = fengari;
type LuaState = ReturnType<typeof lauxlib.luaL_newstate>;

/**
 * What Redis has and Lua 5.3 has not. A script runs in a coroutine, and a call to Redis yields its arguments: the host
 * resumes it with the reply. Numbers are written as Lua 5.1 writes them, and no script leaves a global behind.
 */
const PRELUDE = `
local luaTostring = tostring
local function numberText(n)
  if n % 1 == 0 then return string.format('%.0f', n) end
  return string.format('%.17g', n)
end
function tostring(value)
  if type(value) == 'number' then return numberText(value) end
  return luaTostring(value)
end
local yield = coroutine.yield
local function invoke(...)
  local args = {...}
  for i = 1, #args do
    if type(args[i]) == 'number' then args[i] = numberText(args[i]) end
  end
  return yield(args)
end
local raised
redis = {
  pcall = invoke,
  call = function(...)
    local value = invoke(...)
    if type(value) == 'table' and value.err then
      raised = value.err
      error(raised, 0)
    end
    return value
  end,
  status_reply = function(text) return { ok = text } end,
  error_reply = function(text) return { err = text } end,
  log = function() end,
}
unpack = table.unpack
setmetatable(_G, {
  __newindex = function() error('Attempt to modify a readonly table', 2) end,
})
return function(script, ...)
  local done, value = pcall(script, ...)
  if done then return value end
  if type(value) == 'table' and value.err then return { err = value.err } end
  return { err = value == raised and value or 'ERR ' .. luaTostring(value) }
end
`;

const ERR = to_luastring('err');
const OK = to_luastring('ok');
const CHUNK_NAME = to_luastring('@user_script');

/** Text as Lua has it at `index`, a number included. Bytes that are no UTF-8 are replaced. */
const textAt = (L: LuaState, index: number): string => Buffer.from(lua.lua_tostring(L, index) ?? []).toString();

function pushText(L: LuaState, text: string | Buffer): void {
  const bytes = Buffer.from(text);
  lua.lua_pushlstring(L, bytes, bytes.length);
}

function pushList<Item>(L: LuaState, items: readonly Item[], push: (L: LuaState, item: Item) => void): void {
  lua.lua_createtable(L, items.length, 0);
  for (const [index, item] of items.entries()) {
    push(L, item);
    lua.lua_rawseti(L, -2, index + 1);
  }
}

/** Puts a reply on the stack as Redis converts it for Lua: null becomes false. */
function pushReply(L: LuaState, reply: RedisReply): void {
  if (reply === null) lua.lua_pushboolean(L, false);
  else if (Array.isArray(reply)) pushList(L, reply, pushReply);
  else if (typeof reply === 'number') lua.lua_pushnumber(L, reply);
  else pushText(L, reply);
}

function pushOutcome(L: LuaState, outcome: RedisOutcome): void {
  if ('reply' in outcome) {
    pushReply(L, outcome.reply);
    return;
  }
  lua.lua_createtable(L, 0, 1);
  pushText(L, outcome.error);
  lua.lua_setfield(L, -2, ERR);
}

/** A field of the table on top of the stack; undefined where there is none. */
function fieldText(L: LuaState, name: Uint8Array): string | undefined {
  const isThere = lua.lua_getfield(L, -1, name) === lua.LUA_TSTRING;
  const text = isThere ? textAt(L, -1) : undefined;
  lua.lua_pop(L, 1);
  return text;
}

/** Takes the value off the top of the stack, as Redis converts a script's result. @throws RedisCommandError for an error */
function popResult(L: LuaState): RedisReply {
  try {
    switch (lua.lua_type(L, -1)) {
      case lua.LUA_TNUMBER:
        return Math.trunc(lua.lua_tonumber(L, -1));
      case lua.LUA_TSTRING:
        return textAt(L, -1);
      case lua.LUA_TBOOLEAN:
        return lua.lua_toboolean(L, -1) ? 1 : null;
      case lua.LUA_TTABLE:
        return tableOnTop(L);
      default:
        return null;
    }
  } finally {
    lua.lua_pop(L, 1);
  }
}

function tableOnTop(L: LuaState): RedisReply {
  const error = fieldText(L, ERR);
  if (error !== undefined) throw new RedisCommandError(error);
  const status = fieldText(L, OK);
  if (status !== undefined) return status;
  const items: RedisReply[] = [];
  // An array ends before its first nil.
  while (lua.lua_rawgeti(L, -1, items.length + 1) !== 0) items.push(popResult(L));
  lua.lua_pop(L, 1);
  return items;
}

/** The arguments of a call to Redis, which the script yielded in a list. */
function popArguments(L: LuaState): string[] {
  const args: string[] = [];
  while (lua.lua_rawgeti(L, -1, args.length + 1) !== 0) {
    args.push(textAt(L, -1));
    lua.lua_pop(L, 1);
  }
  lua.lua_settop(L, 0);
  return args;
}

/** One Lua interpreter, which compiles each script once. It runs one script at a time. */
export class LuaScripts {
  #state: { L: LuaState; runner: number } | undefined;
  readonly #compiled = new Map<string, number>();

  /**
   * Runs a script; `call` is asked for each of its calls to Redis.
   *
   * @throws RedisCommandError when the script cannot be compiled, or returned or raised an error
   */
  async run(
    { script, keys, args }: { script: string; keys: readonly string[]; args: readonly string[] },
    call: (command: string[]) => Promise<RedisOutcome>,
  ): Promise<RedisReply> {
    this.#state ??= openState();
    const { L, runner } = this.#state;
    const compiled = this.#compile(L, script);
    // A thread of the script's own, which the collector takes once it is off the stack.
    const thread = lua.lua_newthread(L);
    try {
      lua.lua_rawgeti(thread, lua.LUA_REGISTRYINDEX, runner);
      lua.lua_rawgeti(thread, lua.LUA_REGISTRYINDEX, compiled);
      pushList(thread, keys, pushText);
      pushList(thread, args, pushText);
      let status = lua.lua_resume(thread, L, 3);
      while (status === lua.LUA_YIELD) {
        pushOutcome(thread, await call(popArguments(thread)));
        status = lua.lua_resume(thread, L, 1);
      }
      return popResult(thread);
    } finally {
      lua.lua_pop(L, 1);
    }
  }

  #compile(L: LuaState, script: string): number {
    const known = this.#compiled.get(script);
    if (known !== undefined) return known;
    load(L, `local KEYS, ARGV = ... ${script}`);
    const compiled = lauxlib.luaL_ref(L, lua.LUA_REGISTRYINDEX);
    this.#compiled.set(script, compiled);
    return compiled;
  }
}

/** Leaves the compiled text on the stack. @throws RedisCommandError */
function load(L: LuaState, text: string): void {
  const source = to_luastring(text);
  if (lauxlib.luaL_loadbuffer(L, source, source.length, CHUNK_NAME) === lua.LUA_OK) return;
  const message = textAt(L, -1);
  lua.lua_pop(L, 1);
  throw new RedisCommandError(`ERR Error compiling script: ${message}`);
}

function openState(): { L: LuaState; runner: number } {
  const L = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(L);
  load(L, PRELUDE);
  lua.lua_call(L, 0, 1);
  return { L, runner: lauxlib.luaL_ref(L, lua.LUA_REGISTRYINDEX) };
}
