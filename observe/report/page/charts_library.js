// Vega, whose modules the build joins into one text (page_assets.cmake), each a function of the table `modules`.
const vega = (() => {
  const loaded = {};
  const require = name => {
    const known = name === 'vega-selections' ? 'vega-selection' : name;
    if (!(known in loaded)) {
      const module = {exports: {}};
      modules[known](module.exports, module, require);
      loaded[known] = module.exports;
    }
    return loaded[known];
  };
  Object.assign(require('vega-dataflow').transforms, require('vega-transforms'), require('vega-view-transforms'),
                require('vega-encode'));
  return {parse: require('vega-parser').parse, View: require('vega-view').View};
})();
