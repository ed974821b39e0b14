import { adHosts, adPlaces } from '../../content/blocked-names.ts'

/** What the readers of pages know of ads, as rules of a list. */
export const placeRules = [
  ...adHosts.map((host) => `||${host}^$third-party`),
  ...adPlaces.classes.map((name) => `##.${name}`),
  ...adPlaces.ids.map((name) => `###${name}`),
  ...adPlaces.idPrefixes.map((prefix) => `##[id^="${prefix}"]`),
  ...adHosts.map((host) => `##iframe[src*="${host}"]`),
].join('\n')
