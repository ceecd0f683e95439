/** The part of fengari (Lua 5.3 in JavaScript) that runs scripts here; the names are those of Lua's C interface. */
declare module 'fengari' {
  interface LuaState {
    readonly isLuaState: never;
  }
  const fengari: {
    to_luastring(text: string): Uint8Array;
    lualib: { luaL_openlibs(L: LuaState): void };
    lauxlib: {
      luaL_newstate(): LuaState;
      /** Leaves the compiled function on the stack, or a message. */
      luaL_loadbuffer(L: LuaState, source: Uint8Array, length: number, name: Uint8Array): number;
      luaL_ref(L: LuaState, table: number): number;
    };
    lua: {
      LUA_REGISTRYINDEX: number;
      LUA_OK: number;
      LUA_YIELD: number;
      LUA_TBOOLEAN: number;
      LUA_TNUMBER: number;
      LUA_TSTRING: number;
      LUA_TTABLE: number;
      lua_call(L: LuaState, argumentCount: number, resultCount: number): void;
      lua_createtable(L: LuaState, arraySize: number, fieldCount: number): void;
      lua_getfield(L: LuaState, index: number, field: Uint8Array): number;
      lua_newthread(L: LuaState): LuaState;
      lua_pop(L: LuaState, count: number): void;
      lua_pushboolean(L: LuaState, value: boolean): void;
      lua_pushlstring(L: LuaState, bytes: Uint8Array, length: number): void;
      lua_pushnumber(L: LuaState, value: number): void;
      lua_rawgeti(L: LuaState, index: number, n: number): number;
      lua_rawseti(L: LuaState, index: number, n: number): void;
      lua_resume(L: LuaState, from: LuaState | null, argumentCount: number): number;
      lua_setfield(L: LuaState, index: number, field: Uint8Array): void;
      lua_settop(L: LuaState, index: number): void;
      lua_toboolean(L: LuaState, index: number): boolean;
      lua_tonumber(L: LuaState, index: number): number;
      lua_tostring(L: LuaState, index: number): Uint8Array | null;
      lua_type(L: LuaState, index: number): number;
    };
  };
  export default fengari;
}
