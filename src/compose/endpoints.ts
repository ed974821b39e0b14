import * as endpointList from '../http/endpoints/all.ts'

/** In a fixed order: the API description must not depend on the load order of the list. */
export const endpoints = Object.values(endpointList).sort((left, right) =>
  `${left.path} ${left.method}`.localeCompare(`${right.path} ${right.method}`),
)
