/** Why a block was kept or left out. */
export type Reason =
  | 'probable'
  | 'improbable'
  | 'inside the container'
  | 'outside the container'
  | 'whole table'
  | 'between kept parts'
  | 'heading of a kept part'
  | 'term of a definition'
  | 'title'
  | 'on most pages of the site'
  | 'part of a record'
  | 'a request to the visitor'
  | 'navigation'
  | 'named as content'
  | 'named as furniture'

export interface Choice {
  kept: Uint8Array
  reasons: Reason[]
}

export function firstChoice(kept: Uint8Array): Choice {
  const reasons = new Array<Reason>(kept.length).fill('improbable')
  for (let block = 0; block < kept.length; block += 1) if (kept[block] === 1) reasons[block] = 'probable'
  return { kept, reasons }
}

export function change(choice: Choice, block: number, isKept: boolean, reason: Reason): void {
  if (choice.kept[block] === Number(isKept)) return
  choice.kept[block] = Number(isKept)
  choice.reasons[block] = reason
}

/**
 * How much is taken for the main content. `balanced`: what is likely, and the structures it stands in whole. `container`: all
 * of the element that holds it, its menus too. `article`: only what is surely its text.
 */
export const mainContentModes = ['balanced', 'container', 'article'] as const

export type MainContentMode = (typeof mainContentModes)[number]
