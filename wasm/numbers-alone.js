// The module's functions take and give doubles (CONTRIBUTING, "The boundary"): what Embind brings for every other type is never called, and would be
// among the first bytes that a reader downloads. Types stay known to Embind only where a function of module.cpp has them.
const unused = ["bool", "integer", "std_string", "std_wstring", "emval", "memory_view"].flatMap((type) => [
  // biome-ignore lint/complexity/useArrowFunction: Emscripten declares functions by that word.
  [`_embind_register_${type}`, function () {}],
  [`_embind_register_${type}__deps`, []],
]);
mergeInto(LibraryManager.library, Object.fromEntries(unused));
