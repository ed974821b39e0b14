# Generated from the file of this name in _sync by `npm run generate`.
