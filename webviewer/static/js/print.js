// The sheet of a hand: a button that prints it. Without scripts the browser's own does.

const button = document.getElementById("print-now");
button.hidden = false;
button.addEventListener("click", () => window.print());
