/**
 * How much is taken for the main content. `balanced`: what is likely, and the structures it stands in whole. `container`: all
 * of the element that holds it, its menus too. `article`: only what is surely its text.
 */
export const mainContentModes = ['balanced', 'container', 'article'] as const

export type MainContentMode = (typeof mainContentModes)[number]
