// Third step of a conversion: makes an integer a single. A single that is to be kept passes.
module sp_convert_float (
    input  sp_types::control_fields  control,
    input  sp_types::conversion_step step,
    output logic [31:0]              single
);
  logic [4:0]  zeros;
  logic [31:0] shifted;
  sp_leading_zeros leading_zeros (.bits(step.whole), .zeros(zeros));
  assign shifted = step.whole << zeros;

  logic        away, up;
  logic [30:0] rounded, magnitude;
  assign away      = control.rounding == (step.negative ? sp_types::DOWN : sp_types::UP);
  assign up        = control.rounding == sp_types::NEAREST ? shifted[7] & ((|shifted[6:0]) | shifted[8])
                                                           : away & (|shifted[7:0]);
  assign rounded   = {8'd158 - {3'd0, zeros}, shifted[30:8]} + {30'd0, up};
  assign magnitude = shifted[31] ? rounded : 31'd0;

  logic saturate;
  assign saturate = control.saturate;
  always_comb begin
    if (step.keep_single) single = step.single;
    else if (saturate && step.negative) single = 32'd0;
    else if (saturate && magnitude > 31'h3f800000) single = 32'h3f800000;
    else single = {step.negative, magnitude};
  end

  logic unused;
  assign unused = |control;
endmodule
