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
  return { kept, reasons: Array.from(kept, (isKept): Reason => (isKept === 1 ? 'probable' : 'improbable')) }
}

export function setKept(choice: Choice, block: number, isKept: boolean, reason: Reason): void {
  if (choice.kept[block] === Number(isKept)) return
  choice.kept[block] = Number(isKept)
  choice.reasons[block] = reason
}

/** `balanced`: probable content and structures that contain it. `container`: the complete element, with menus. */
export const mainContentModes = ['balanced', 'container', 'article'] as const

export type MainContentMode = (typeof mainContentModes)[number]
