// @ts-check
// The module of the entries that only have types, such as `@payframe/form/react`: importing one adds the elements to a framework's types.
export {};
