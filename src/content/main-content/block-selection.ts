/** Reason for keeping or omitting a block. */
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

export function createChoice(kept: Uint8Array): Choice {
  const reasons = new Array<Reason>(kept.length).fill('improbable')
  for (let block = 0; block < kept.length; block += 1) if (kept[block] === 1) reasons[block] = 'probable'
  return { kept, reasons }
}

export function setKept(choice: Choice, block: number, isKept: boolean, reason: Reason): void {
  if (choice.kept[block] === Number(isKept)) return
  choice.kept[block] = Number(isKept)
  choice.reasons[block] = reason
}

/**
 * Amount of content to select. `balanced`: probable content, and complete structures that contain it. `container`: the
 * complete element with the content, including its menus. `article`: only text with a high probability.
 */
export const mainContentModes = ['balanced', 'container', 'article'] as const

export type MainContentMode = (typeof mainContentModes)[number]
