import { jsonFile } from '../base/json-file.ts'

interface Places {
  classes: string[]
  ids: string[]
  idPrefixes: string[]
}

export interface BlockedNames {
  /** Names of places for ads. The ad blocker of the browser takes its rules for such places from here too. */
  adPlaces: Places
  /** Hosts whose frames and pictures are ads on every site but their own. */
  adHosts: string[]
  /** Names that consent managers give to the dialogs they add to a page. */
  consentPlaces: Places
  /** Names that sites give to their own dialogs; a dash matches any separator. */
  likelyConsent: string[]
}

export const blockedNames = jsonFile<BlockedNames>(new URL('./blocked-names.json', import.meta.url))
