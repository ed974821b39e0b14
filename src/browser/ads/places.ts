import { adHosts, adPlaces } from '../../content/blocked-names.ts'

/** The ad patterns of the page readers, as rules of a list. */
export const placeRules = [
  ...adHosts.map((host) => `||${host}^$third-party`),
  ...adPlaces.classes.map((name) => `##.${name}`),
  ...adPlaces.ids.map((name) => `###${name}`),
  ...adPlaces.idPrefixes.map((prefix) => `##[id^="${prefix}"]`),
  ...adHosts.map((host) => `##iframe[src*="${host}"]`),
].join('\n')
