import * as endpointList from '../http/endpoints/all.ts'

/** In one order, whatever order the list is loaded in: the API description must not depend on it. */
export const endpoints = Object.values(endpointList).sort((left, right) =>
  `${left.path} ${left.method}`.localeCompare(`${right.path} ${right.method}`),
)
