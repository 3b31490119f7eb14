// For each process of Jest: when nothing is left to do, it ends at once. Node would first take apart, module by module, what hundreds
// of specs have loaded, which outlasts the half second that Jest gives its workers. What a spec leaves open still holds it up.
process.once('beforeExit', () => process.exit());
