import { blockedNames } from '../../content/blocked-names.ts'

/** Returns the ad patterns of the page readers as rules of a list. */
export function placeRules(): string {
  const { adHosts, adPlaces } = blockedNames()
  return [
    ...adHosts.map((host) => `||${host}^$third-party`),
    ...adPlaces.classes.map((name) => `##.${name}`),
    ...adPlaces.ids.map((name) => `###${name}`),
    ...adPlaces.idPrefixes.map((prefix) => `##[id^="${prefix}"]`),
    ...adHosts.map((host) => `##iframe[src*="${host}"]`),
  ].join('\n')
}
