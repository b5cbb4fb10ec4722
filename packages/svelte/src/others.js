// @ts-check
/** What is meant for the host: `id`, `class`, `style`, `aria-…`, `data-…`. @param {object} props @param {string[]} own */
export const others = (props, own) => Object.fromEntries(Object.entries(props).filter(([name]) => !own.includes(name)));
