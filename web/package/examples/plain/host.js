document.querySelector("commcost-calculator").addEventListener("change", ({ detail }) => {
  const { results, problems } = detail;
  document.querySelector("#time").textContent = results ? `${results.total_comm_time_ms} ms` : problems[0].message;
});
