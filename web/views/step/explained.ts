// What is drawn below a step's answer by elements of its own.
import "./growth.js";
import "./how-sure.js";
import "./roofline.js";
